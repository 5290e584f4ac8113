/**
 * Every table and column that PostgreSQL has: what it is, about whom, why it is kept and for how long. What a person is
 * given of a case (`person export`) and the record of processing are made from it; test/postgres/columns.test.ts holds it
 * against the schema, so that a new column waits here for somebody's decision.
 */

/** Whom a column tells of. Of nobody: ids of ours, codes, counts, and when something was. */
const PEOPLE = ['customer', 'user', 'operator', 'nobody'] as const;
export type About = (typeof PEOPLE)[number];

export interface Table {
  readonly what: string;
  /** What it is needed for. */
  readonly why: string;
  /** For how long, in words. */
  readonly kept: string;
  /** Which column says of which case a row is; left out where rows are of no case. */
  readonly caseId?: string;
  /** Likewise, where a row is of several. */
  readonly caseIds?: string;
  /** Its columns, by whom they tell of, each with what it is. */
  readonly columns: { readonly [Person in About]?: Readonly<Record<string, string>> };
  /** What is in those that are sealed by the case's data key, field by field. */
  readonly sealed?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What a person is not given of their case, and why not. */
  readonly withheld?: Readonly<Record<string, string>>;
}

/** How long what belongs to a case is kept (docs/contract.md §9). */
const WITH_THE_CASE = 'with the case';
const OWN_BOOKKEEPING = 'bookkeeping of ours, which says nothing of the person';
const OF_OTHERS = 'tells of who works for us, and not of the customer';

export const TABLES: Readonly<Record<string, Table>> = {
  partners: {
    what: 'insurers that hand over cases',
    why: 'whose a case is',
    kept: 'until the partner leaves',
    columns: {
      nobody: {
        id: 'id, as operators chose it',
        name: 'name, as customers are shown it',
        created_at: 'when it was registered',
        suspended_at: 'since when its keys and users are kept out',
        reference_key: 'key of the hashes of its references that Temporal is shown',
        last_event: 'number of its newest event',
        retention_months: 'for how many months personal data is kept after a case is archived',
      },
    },
  },
  api_keys: {
    what: "partners' keys for the API",
    why: 'who calls',
    kept: 'until the partner leaves; what was done with a key stays told',
    columns: {
      nobody: {
        id: 'id',
        partner_id: 'whose it is',
        name: 'name, as the partner chose it',
        key_hash: 'hash of the key',
        created_at: 'when it was made',
        last_used_at: 'when it was last used',
        expires_at: 'end that it was made with',
        replaced_until: 'until when it works on beside the one in its place',
        revoked_at: 'when it was revoked',
        hint: 'beginning, by which people tell keys apart',
        scopes: 'what it may do',
        allowed_networks: 'from where',
      },
    },
  },
  partner_users: {
    what: "partners' employees who manage its keys",
    why: 'logging in',
    kept: 'until an operator deletes the account',
    columns: {
      user: {
        email: 'address',
        password_hash: 'hash of the password',
        one_time_secret: 'secret of the one-time codes, sealed',
        one_time_step: 'half minute whose code was used last',
      },
      nobody: {
        id: 'id',
        partner_id: 'whose user it is',
        activation_hash: 'hash of the token of an activation',
        activation_expires_at: 'until when that is good',
        created_at: 'when the account was made',
        activated_at: 'when it was activated',
        suspended_at: 'since when they are kept out',
      },
    },
  },
  access_tokens: {
    what: 'logins of users',
    why: 'who calls',
    kept: 'until the next login after their end, an hour after the login',
    columns: {
      user: { user_id: 'whose it is' },
      nobody: {
        token_hash: 'hash of the token',
        created_at: 'when they logged in',
        expires_at: 'until when it is good',
      },
    },
  },
  partner_user_networks: {
    what: 'networks from which users log in',
    why: 'telling them of a login from elsewhere',
    kept: 'with the account',
    columns: {
      user: {
        user_id: 'whose login it was',
        network: 'network (IPv4 /24, IPv6 /48)',
        last_seen_at: 'when they last came from there',
      },
    },
  },
  login_failures: {
    what: 'wrong passwords and codes',
    why: 'closing an account that is being guessed at',
    kept: 'for hours',
    columns: { user: { account: 'hash of the address that was tried' }, nobody: { at: 'when' } },
  },
  account_mails: {
    what: 'what users are to be told of their accounts',
    why: 'telling them',
    kept: 'until it is sent, for some days at most',
    columns: {
      user: { user_id: 'who is told', about: 'what: a login, a key' },
      nobody: { id: 'id', created_at: 'when it was', due_at: 'when it is sent' },
    },
  },
  treatment_types: {
    what: 'kinds of treatment',
    why: 'what a case is for',
    kept: 'for good',
    columns: {
      nobody: {
        code: 'code',
        name_nb: 'name in bokmål',
        name_en: 'name in English',
        minimum_minutes: 'shortest useful time',
      },
    },
  },
  providers: {
    what: 'clinics',
    why: 'where appointments are booked',
    kept: 'until an operator removes it',
    columns: {
      nobody: {
        id: 'id, as operators chose it',
        name: 'name, as customers are shown it',
        kind: 'protocol of its booking system',
        base_url: 'address of that',
        connection: 'how we show it who we are: names of variables, no secrets',
        settings: 'how it is asked',
        created_at: 'when it was registered',
        watched_at: 'when its calendar was last compared',
        watched_until: 'up to when, where there was not the time for all of it',
        watched_booking: 'the last appointment that was',
        unwatched_answer: 'what it answered where that failed',
        circuit_open_since: 'since when it is left alone',
        circuit_answer: 'the failure after which it is',
      },
    },
  },
  provider_treatments: {
    what: 'which clinic does what',
    why: 'where to look for times',
    kept: 'until an operator changes it',
    columns: { nobody: { provider_id: 'clinic', treatment_type: 'treatment' } },
  },
  provider_findings: {
    what: 'what was noticed at clinics, counted',
    why: 'telling operators',
    kept: 'for 30 days after it was last seen',
    columns: {
      nobody: {
        provider_id: 'clinic',
        kind: 'what was noticed',
        about: 'type of resource, or a code',
        count: 'how often',
        first_seen: 'when first',
        last_seen: 'when last',
      },
    },
  },
  cases: {
    what: "customers' claims, handed over by partners",
    why: 'booking the treatment that the insurer pays for',
    kept: 'personal data for 12 months after the case is archived (PERSONAL_DATA_MONTHS, or as agreed with the partner); a row without them for good',
    caseId: 'id',
    columns: {
      customer: {
        sealed: 'what the partner has told of the person and the claim, sealed',
        reference_hash: "keyed hash of the partner's reference, to look for it by",
        hashed_reference: 'what Temporal shows in its stead',
        treatment_type: 'treatment that it is for',
        state: 'what has happened and is booked: ids, codes and instants',
        customer_language: 'language that they read',
      },
      nobody: {
        id: 'id',
        partner_id: 'insurer',
        created_at: 'when it was handed over',
        workflow_started_at: 'when its workflow was started',
        traceparent: 'trace that the call which handed it over began',
        start_failed_at: 'when a start last failed',
        revision: 'number of the state',
        status: 'status',
        booking_deadline: 'last day to book',
        booking_id: 'booking',
        updated_at: 'when it last changed',
        workflow_lost: 'how its workflow has ended before its time',
        workflow_lost_at: 'when that was found',
        erased_at: 'when its personal data was erased',
        legal_hold_at: 'since when the law keeps it from being erased',
      },
      operator: { legal_hold_by: 'who said so' },
    },
    sealed: {
      sealed: {
        partner_case_id: "partner's reference",
        patient_first_name: 'first name',
        patient_last_name: 'last name',
        patient_email: 'e-mail address',
        patient_phone: 'telephone number',
        injury_date: 'date of the injury',
        injury_description: "what happened in the partner's words",
      },
    },
    withheld: {
      reference_hash: OWN_BOOKKEEPING,
      erased_at: OWN_BOOKKEEPING,
      legal_hold_by: OF_OTHERS,
      hashed_reference: OWN_BOOKKEEPING,
      workflow_started_at: OWN_BOOKKEEPING,
      traceparent: OWN_BOOKKEEPING,
      start_failed_at: OWN_BOOKKEEPING,
      revision: OWN_BOOKKEEPING,
      workflow_lost: OWN_BOOKKEEPING,
      workflow_lost_at: OWN_BOOKKEEPING,
    },
  },
  case_checks: {
    what: 'what cases were found to be when they were last compared with their workflows',
    why: 'asking only those that have changed',
    kept: WITH_THE_CASE,
    caseId: 'case_id',
    columns: {
      nobody: { case_id: 'case', checked_as: 'run, length and revision, and a fingerprint of the row' },
    },
    withheld: { checked_as: OWN_BOOKKEEPING },
  },
  reconcile_place: {
    what: 'how far comparing all cases has come',
    why: 'going on from there',
    kept: 'one row',
    columns: { nobody: { is_only: 'there is one', after: 'the last case' } },
  },
  'keys.data_keys': {
    what: "cases' own keys, by which their personal data is sealed",
    why: 'what is sealed by a key is gone with it, in backups too',
    kept: 'until the case is erased; in backups for as long as those of keys are kept',
    columns: { nobody: { case_id: 'case', partner_id: 'insurer', wrapped: 'key, wrapped by a master key' } },
  },
  'keys.erasures': {
    what: 'which cases were erased',
    why: 'a restored backup forgets them again',
    kept: 'for good',
    columns: {
      operator: { erased_by: 'who had it done' },
      nobody: { case_id: 'case', at: 'when', why: 'on request, or after its time' },
    },
  },
  'keys.search_key': {
    what: 'the key of the hashes by which is searched what is sealed',
    why: 'references are looked for, recipients counted',
    kept: 'for good',
    columns: { nobody: { is_only: 'that there is one', wrapped: 'key, wrapped by a master key' } },
  },
  case_texts: {
    what: 'why a case was recalled; requests for help',
    why: 'answering them; telling why',
    kept: WITH_THE_CASE,
    caseId: 'case_id',
    columns: {
      customer: {
        sealed: 'text, and how to answer it, sealed',
      },
      nobody: {
        id: 'id',
        case_id: 'case',
        kind: 'which of the two',
        created_at: 'when it was written',
        signalled_at: 'when the workflow was told',
      },
    },
    sealed: {
      sealed: {
        body: 'text',
        preferred_contact: 'how to answer: by telephone or mail',
        phone: 'number to call',
        best_time: 'when to call',
        interpreter: 'language of an interpreter',
        helper_name: 'name of who asks for the customer',
        helper_relation: 'what that person is to them',
      },
    },
    withheld: { signalled_at: OWN_BOOKKEEPING },
  },
  case_corrections: {
    what: 'corrected addresses and names on their way to the case',
    why: 'the workflow judges them before they count',
    kept: 'for seconds',
    caseId: 'case_id',
    columns: {
      customer: { sealed: 'addresses and names, sealed' },
      nobody: { id: 'id', case_id: 'case', created_at: 'when it was sent' },
    },
    sealed: {
      sealed: {
        patient_email: 'e-mail address',
        patient_phone: 'telephone number',
        patient_first_name: 'first name',
        patient_last_name: 'last name',
      },
    },
  },
  persons: {
    what: 'people who have logged in with an eID',
    why: 'somebody is the same at the next login',
    kept: 'until their last case is erased; without a case as long as the access log, since they were last seen',
    columns: {
      customer: { hash: "keyed hash of the eID's stable claim" },
      nobody: { id: 'id', secret_id: 'which secret made the hash', seen_at: 'when they last logged in' },
    },
  },
  case_persons: {
    what: 'who logged in with an eID and was bound to a case',
    why: 'nobody else sees the case; who could see it stays known',
    kept: WITH_THE_CASE,
    caseId: 'case_id',
    columns: {
      customer: {
        sealed: 'names and date of birth, from the eID, sealed',
        sealed_reason: 'why they were unbound, sealed',
      },
      operator: { unbound_by: 'who unbound them', readmitted_by: 'who readmitted them' },
      nobody: {
        id: 'id',
        case_id: 'case',
        person_id: 'person, by an id that means nothing',
        bound_at: 'since when',
        unbound_at: 'until when',
        readmitted_at: 'since when they may be bound again',
      },
    },
    sealed: {
      sealed: { givenName: 'given name', familyName: 'family name', birthDate: 'date of birth' },
      sealed_reason: { reason: "reason in the operator's words" },
    },
    withheld: { unbound_by: OF_OTHERS, readmitted_by: OF_OTHERS },
  },
  customer_sessions: {
    what: 'customers who are logged in',
    why: 'a logout ends it everywhere',
    kept: 'for three hours at most',
    columns: {
      nobody: {
        id: 'id',
        person_id: 'person, by an id that means nothing',
        started_at: 'when they logged in',
      },
    },
  },
  case_verifications: {
    what: "what registries said of a case's policy and referral",
    why: 'the partner asked',
    kept: WITH_THE_CASE,
    caseId: 'case_id',
    columns: {
      customer: {
        outcome: 'verified, or not',
        reasons: 'why not, in codes',
        valid_from: 'since when it is valid',
        valid_to: 'until when',
      },
      nobody: { case_id: 'case', kind: 'policy or referral', checked_at: 'when they were asked' },
    },
  },
  case_quotas: {
    what: 'what may be done so many times a day, each time that it was',
    why: 'bounding it',
    kept: 'for a day',
    caseId: 'case_id',
    columns: { nobody: { id: 'id', case_id: 'case', kind: 'what', at: 'when' } },
  },
  bookings: {
    what: 'what was booked',
    why: 'showing it to the customer and the partner',
    kept: WITH_THE_CASE,
    caseId: 'case_id',
    columns: {
      customer: {
        provider_id: 'clinic',
        practitioner: 'who treats',
        location: 'where',
        mode: 'in person or by video',
        details: 'what the clinic says of the place and of who treats',
        during: 'from when to when',
      },
      nobody: { id: 'id', case_id: 'case', created_at: 'when it was booked' },
    },
  },
  slot_claims: {
    what: 'times that are taken',
    why: 'nobody else gets them',
    kept: 'until the appointment is over or let go',
    caseId: 'case_id',
    columns: {
      customer: {
        provider_id: 'clinic',
        practitioner_id: 'who treats, by id',
        slot: "time, by the clinic's own id",
        during: 'from when to when',
      },
      nobody: { booking_id: 'booking', case_id: 'case', expires_at: 'until when nobody has confirmed it' },
    },
  },
  booking_failures: {
    what: "what a clinic's system does not take at the moment",
    why: 'telling operators',
    kept: 'until it succeeds',
    caseId: 'case_id',
    columns: {
      nobody: {
        booking_id: 'booking',
        task: 'what fails',
        case_id: 'case',
        since: 'since when',
        answer: 'what was answered, in codes',
      },
    },
  },
  notifications: {
    what: 'messages to customers: which, how, and what became of them; no text and no address',
    why: 'none is sent twice; partners see what arrived',
    kept: WITH_THE_CASE,
    caseId: 'case_id',
    columns: {
      customer: {
        kind: 'what it told',
        channel: 'by mail or SMS',
        status: 'what became of it',
        reason: 'why it did not arrive, in codes',
      },
      nobody: {
        dedup_id: 'id',
        case_id: 'case',
        reference: "channel's own id",
        at: 'when',
        sequence: 'number among its kind',
        booking_id: 'which booking it was about',
        contact_version: 'number of the addresses that it went to',
        counted: 'whether it counts among those of the day',
        unsignalled: 'whether the workflow is to be told that it failed',
        failure: 'what it waits for, in codes',
      },
    },
    withheld: {
      contact_version: OWN_BOOKKEEPING,
      counted: OWN_BOOKKEEPING,
      unsignalled: OWN_BOOKKEEPING,
    },
  },
  message_quotas: {
    what: 'how many messages have left',
    why: 'no recipient is flooded',
    kept: 'for two days',
    columns: {
      customer: { key: 'keyed hash of an address, or the partner' },
      nobody: { since: 'day or hour', used: 'how many' },
    },
  },
  attention: {
    what: 'what needs an operator',
    why: 'it is done',
    kept: 'for 30 days after it was over',
    caseId: 'case_id',
    columns: {
      operator: { taken_by: 'who works on it' },
      nobody: {
        id: 'id',
        kind: 'what',
        case_id: 'case',
        partner_id: "the case's partner",
        case_created_at: 'when the case was handed over',
        provider_id: 'clinic',
        cause: 'what it has in common with others',
        since: 'since when',
        answer: 'what was answered, in codes',
        over_at: 'until when',
        taken_at: 'since when somebody works on it',
        unsignalled: "whether Temporal's list is to be told",
      },
    },
    withheld: { taken_by: OF_OTHERS, unsignalled: OWN_BOOKKEEPING },
  },
  alerts: {
    what: 'what operators are told of that',
    why: 'telling them',
    kept: 'until an hour after it was over',
    columns: {
      nobody: {
        id: 'id',
        channel: 'mail or webhook',
        kind: 'what needs them',
        cause: 'what those that wait have in common',
        since: 'since when',
        waiting: 'how many',
        told_waiting: 'of how many they were told',
        answer: 'what was answered, in codes',
        over_at: 'until when',
        told: 'how often they were told',
        told_at: 'when last',
        due_at: 'when next',
        failing_since: 'since when that fails',
        attempts: 'how often it was tried',
        failure: 'what was answered then, in codes',
      },
    },
  },
  events: {
    what: 'what happened to cases, as partners read it',
    why: "partners' systems follow",
    kept: WITH_THE_CASE,
    caseId: 'case_id',
    columns: {
      customer: {
        type: 'what happened',
        status: 'status after it',
        data: 'what else there is to say: ids, codes, instants',
      },
      nobody: {
        partner_id: 'insurer',
        place: 'in which order it was written',
        number: "number among the partner's",
        id: 'id',
        case_id: 'case',
        at: 'when',
        actor: 'customer, partner, operator, provider or service',
        api_key_id: "which of the partner's keys",
        booking_id: 'booking after it',
      },
    },
  },
  idempotency_keys: {
    what: "answers to partners' requests that carried a key",
    why: 'a repetition gets the same answer',
    kept: 'for 24 hours',
    columns: {
      customer: { answer: 'answer, sealed so that only who sends the key again can read it' },
      nobody: {
        partner_id: 'insurer',
        key_hash: 'hash of the key',
        request_hash: 'hash of what was understood',
        sent_hash: 'hash of what was sent',
        created_at: 'when',
      },
    },
  },
  partner_requests: {
    what: "partners' last calls, by route",
    why: "partners' developers look them up",
    kept: 'the last few hundred of a partner',
    columns: {
      user: { user_id: 'who called, logged in' },
      nobody: {
        partner_id: 'insurer',
        number: 'number',
        at: 'when',
        method: 'method',
        route: 'route, without what callers write into an address',
        status: 'how it was answered',
        request_id: 'id of the request',
        correlation_id: "the partner's own id of it",
        api_key_id: 'with which key',
      },
    },
  },
  rate_counts: {
    what: 'how often somebody called',
    why: 'limits',
    kept: 'for minutes',
    columns: {
      nobody: { key: 'keyed hash of who is counted', hits: 'how often', expires_at: 'until when' },
    },
  },
  operator_log: {
    what: 'what operators did, and whose personal data they looked at',
    why: 'who did what stays known',
    kept: 'for good',
    caseId: 'case_id',
    columns: {
      customer: { sealed_note: "operator's words on a case, sealed" },
      operator: {
        operator: 'name',
        operator_subject: "the login's id of them",
        granted_by: 'who let them',
      },
      nobody: {
        note: 'what was said of something else than a case',
        id: 'id',
        number: 'place in the log',
        previous: 'hash of the row before',
        hash: 'hash of the row',
        at: 'when',
        via: 'how they came in',
        action: 'operation',
        case_id: 'case',
        subject: 'id of what else it was done to',
        ticket: 'ticket that it was for',
      },
    },
    sealed: {
      sealed_note: { note: 'why, or how it was checked who the customer is' },
    },
    withheld: {
      operator: OF_OTHERS,
      operator_subject: OF_OTHERS,
      granted_by: OF_OTHERS,
      number: OWN_BOOKKEEPING,
      previous: OWN_BOOKKEEPING,
      hash: OWN_BOOKKEEPING,
    },
  },
  operator_log_outcomes: {
    what: 'what came of that',
    why: 'who did what stays known',
    kept: 'for good',
    columns: {
      nobody: {
        id: 'row of the log',
        number: 'place in this one',
        previous: 'hash of the row before',
        hash: 'hash of the row',
        at: 'when',
        outcome: 'done, or what stood in the way',
      },
    },
  },
  operator_requests: {
    what: 'what an operator has asked for that takes two',
    why: 'another grants it',
    kept: 'for good',
    columns: {
      operator: {
        asked_by: 'who asked',
        asked_by_subject: "the login's id of them",
        granted_by: 'who granted it',
        granted_by_subject: "the login's id of them",
      },
      nobody: {
        id: 'id',
        operation: 'operation',
        input: 'with what: ids and flags',
        what: 'what will be done, in words',
        asked_via: 'how they came in',
        asked_at: 'when',
        ends_at: 'until when it can be granted',
        granted_at: 'when it was',
      },
    },
  },
  reconciliations: {
    what: 'what comparisons of cases and workflows found',
    why: 'showing operators',
    kept: 'for 30 days',
    columns: {
      nobody: {
        id: 'id',
        at: 'when',
        kind: 'regular, nightly or by hand',
        checked: 'how many were compared',
        differing: 'how many differed',
        mended: 'how many were mended',
        without_workflow: 'cases without a workflow',
        without_case: 'workflows without a case',
        unanswered: 'how many did not answer',
        orphans: 'ids of some of those workflows',
        workflows_before: 'how far back it looked',
      },
    },
  },
  restores: {
    what: 'restores of the database that were followed up',
    why: 'numbering events above those that were lost',
    kept: 'as long as the service',
    columns: {
      nobody: {
        id: 'id',
        database: 'which database it was then',
        begun_at: 'when it was followed up',
        numbers_above: 'number above which events are numbered since',
        finished_at: 'when nothing was left to be done',
      },
    },
  },
  operator_sessions: {
    what: 'operators who are logged in at the back office',
    why: 'a logout ends it',
    kept: 'for some hours',
    columns: {
      operator: { subject: "the login's id of them", name: 'name', roles: 'roles' },
      nobody: {
        id: 'id',
        checked_at: 'when the login was last asked',
        refresh_token: 'what it is asked by, sealed',
        forms: 'forms that were sent',
        started_at: 'when they logged in',
      },
    },
  },
  test_messages: {
    what: 'messages that a test environment would have sent',
    why: 'partners see what customers would get',
    kept: 'for 7 days; in production there are none',
    columns: {
      customer: { recipient: 'address', subject: 'subject', body: 'text' },
      nobody: { number: 'number', dedup_id: 'which message', at: 'when' },
    },
  },
  test_bounces: {
    what: 'cases whose messages are to bounce in a test environment',
    why: 'partners try it',
    kept: WITH_THE_CASE,
    caseId: 'case_id',
    columns: { nobody: { case_id: 'case', contact_version: 'until which number of the addresses' } },
    withheld: { contact_version: OWN_BOOKKEEPING },
  },
  test_refusals: {
    what: 'cases whose booking a test environment refuses',
    why: 'partners try it',
    kept: WITH_THE_CASE,
    caseId: 'case_id',
    columns: {
      nobody: {
        case_id: 'case',
        provider_id: 'clinic',
        slot: 'time',
        booking_id: 'booking that was refused',
      },
    },
    withheld: { slot: OWN_BOOKKEEPING },
  },
  access_log: {
    what: 'who read what, or was refused',
    why: 'who saw a case stays known, to its customer too',
    kept: 'for some months (ACCESS_LOG_MONTHS)',
    caseIds: 'case_ids',
    columns: {
      customer: { who_id: "key or user, the customer's id, or the operator's" },
      operator: { who_name: 'operator' },
      nobody: {
        number: 'place in the log',
        previous: 'hash of the row before',
        hash: 'hash of the row',
        at: 'when',
        process: 'which process',
        who: 'what kind of caller',
        partner_id: 'insurer',
        action: 'what',
        outcome: 'done, or the refusal',
        case_ids: 'cases in the answer',
        network: 'network of who called (IPv4 /24, IPv6 /48)',
        request_id: 'request',
      },
    },
    withheld: {
      who_id: OF_OTHERS,
      who_name: OF_OTHERS,
      network: OF_OTHERS,
      case_ids: 'names cases of other people, too',
      number: OWN_BOOKKEEPING,
      previous: OWN_BOOKKEEPING,
      hash: OWN_BOOKKEEPING,
    },
  },
  log_heads: {
    what: 'the last row of each log',
    why: 'nothing is taken from a log unnoticed',
    kept: 'for good',
    columns: { nobody: { log: 'log', number: 'its place', hash: 'its hash' } },
  },
};

/** The columns of a table, each with whom it tells of and what it is. */
export const columnsOf = ({ columns }: Table): readonly { name: string; about: About; what: string }[] =>
  PEOPLE.flatMap((about) =>
    Object.entries(columns[about] ?? {}).map(([name, what]) => ({ name, about, what })),
  );
