import { z } from 'zod';
import { ATTENTION_KINDS } from '../../domain/attention.ts';
import { CASE_STATUSES, CHANNELS } from '../../domain/case-state.ts';
import { KEY_SCOPES } from '../../domain/limits.ts';
import type { OperationName } from '../descriptions/index.ts';

// What each operation's `result` holds, for OpenAPI. Apart from the descriptions, which the command line loads.

const text = z.string();
const id = z.uuid();
const at = z.iso.datetime();
const date = z.iso.date();
const count = z.int().min(0);
const yes = z.literal(true);
const or = <T extends z.ZodType>(type: T) => type.nullable();
const some = <T extends z.ZodType>(type: T) => z.array(type);
const status = z.enum(CASE_STATUSES);
const kind = z.enum(ATTENTION_KINDS);
const changed = z.boolean().meta({ description: 'False where it was so already.' });
/** A list's rows. */
const rows = (shape: z.ZodRawShape) => z.object({ data: some(z.object(shape)) });

/** What became of a case. */
const outcome = z.object({
  ...{ caseId: id, changed, status, bookingDeadline: date },
  booking: or(z.object({ bookingId: id, providerId: text, start: at, end: at })),
  possible: some(text).meta({ description: 'The operations on cases that are allowed now.' }),
});
const bulk = z.object({
  ...{ total: count, done: count },
  refused: z
    .record(text, count)
    .meta({ description: 'How many were not done, by the code of what stood in the way.' }),
});
const held = z.object({ caseId: id, takenBy: or(text), changed });
const who = z.object({ caseId: id, changed, person: count.optional() });

const attention = { kind, since: at, answer: or(text), why: text, whatToDo: text };
const taken = { takenBy: or(text), takenAt: or(at) };
const logged = {
  ...{ at, operator: text, operatorSubject: text, via: text, grantedBy: or(text), action: text },
  ...{ caseId: or(id), subject: or(text), note: or(text), ticket: or(text), outcome: or(text) },
};

const verification = or(
  z.object({
    ...{ outcome: text, reasons: some(text), checkedAt: at },
    ...{ validFrom: or(text), validTo: or(text) },
  }),
);
const person = { givenName: text, familyName: text, birthDate: or(date) };
const request = { at, preferredContact: or(text) };
const shownCase = z.object({
  ...{ id, partnerId: text, partnerName: text, partnerCaseId: text, treatmentType: text, status },
  source: z.enum(['workflow', 'projection']).meta({ description: 'Who says so.' }),
  ...{ according: text, now: text, possible: some(text) },
  attention: z.enum([...ATTENTION_KINDS, 'none']).meta({ description: 'The most pressing of `attentions`.' }),
  attentions: some(z.object(attention)),
  ...taken,
  work: some(z.object({ at, operator: text, action: text, note: or(text), outcome: or(text) })),
  ...{ bookingDeadline: date, deadlinePassesAt: at, createdAt: at, updatedAt: at },
  revision: count.meta({ description: 'For `revision` of what changes the case.' }),
  ...{ bookingUrl: z.url(), workflowUrl: or(z.url()) },
  reach: z.object({ email: z.boolean(), sms: z.boolean() }),
  boundAt: or(at),
  unbound: some(
    z.object({
      ...{ id: count, boundAt: at, unboundAt: at, unboundBy: text, reason: text },
      ...{ readmittedAt: or(at), readmittedBy: or(text) },
    }),
  ),
  problem: or(z.object({ code: text, since: at })),
  recall: or(z.object({ at, hasReason: z.boolean() })),
  assistance: or(z.record(text, z.unknown())),
  verification: z.object({ policy: verification, referral: verification }),
  bookings: some(
    z.object({
      ...{ bookingId: id, providerId: text, slot: text, start: at, end: at, confirmedAt: at },
      ...{ transferredAt: or(at), providerReference: or(text), abandonedBy: or(text) },
      ...{ isCurrent: z.boolean(), providerName: or(text), location: or(text), mode: or(text) },
      standing: text,
    }),
  ),
  messages: some(z.object({ kind: text, channel: z.enum(CHANNELS), status: text, reason: or(text), at })),
  requests: some(z.object({ ...request, hasMessage: z.boolean() })),
  timeline: some(
    z.object({ type: text, at, actor: text, apiKeyId: or(id), data: z.record(text, z.unknown()) }),
  ),
  personal: z
    .object({
      ...{ firstName: text, lastName: text, email: or(text), phone: or(text) },
      ...{ injuryDate: or(date), injuryDescription: or(text), recallReason: or(text) },
      boundPerson: or(z.object(person)),
      unboundPersons: some(z.object({ id: count, ...person })),
      practitioners: some(z.object({ bookingId: id, practitioner: or(text) })),
      requests: some(
        z.object({
          ...{ ...request, message: or(text), phone: or(text), bestTime: or(text), interpreter: or(text) },
          helper: or(z.object({ name: text, relation: or(text) })),
        }),
      ),
    })
    .optional()
    .meta({ description: 'With `reveal` only.' }),
});

const slot = z.object({
  slot: text.meta({ description: 'For `slot` of `case book`.' }),
  ...{ providerId: text, providerName: text, practitioner: text, practitionerId: text },
  ...{ location: or(text), mode: text, start: at, end: at },
});

const key = {
  ...{
    id,
    name: text,
    hint: or(text),
    createdAt: at,
    lastUsedAt: or(at),
    expiresAt: or(at),
    revokedAt: or(at),
  },
  ...{ scopes: some(z.enum(KEY_SCOPES)), allowedNetworks: or(some(text)) },
};
const issuedKey = z.object({
  ...key,
  partnerId: text,
  key: text.meta({ description: 'The key itself: the only time that it is shown.' }),
});
const user = {
  ...{ id, email: text, createdAt: at, activatedAt: or(at) },
  ...{ activationExpiresAt: or(at), suspendedAt: or(at) },
};
const userChanged = z.object({ email: text, partnerId: text, suspended: z.boolean(), changed });
const partner = z.object({ id: text, name: text });
const partnerChanged = z.object({ id: text, suspended: z.boolean(), changed });

const provider = {
  ...{ id: text, name: text, kind: text, url: z.url() },
  connection: or(z.record(text, z.unknown())),
  settings: z.record(text, z.unknown()),
  ...{ treatmentTypes: some(text), upcomingAppointments: count, watchedAt: at },
  unwatchedAnswer: or(text).meta({
    description: 'What its system answered when it could not be compared since.',
  }),
  circuitOpenSince: or(at).meta({ description: 'Since when one of our processes leaves its system alone.' }),
  circuitAnswer: or(text).meta({ description: 'The failure after which it does.' }),
};
const shownProvider = z.object({
  ...provider,
  problems: some(text),
  check: z
    .record(text, z.unknown())
    .optional()
    .meta({ description: 'What was tried, and came of it: `verdict`, `tried`, `advice` and more.' }),
});
const treatment = {
  ...{ treatmentType: text, name: z.object({ nb: text, en: text }) },
  ...{ minimumMinutes: or(count), providers: some(text) },
};

/** An entry of the access log. */
const access = {
  ...{ number: count, at, process: text, who: text, whoId: or(text), whoName: or(text), partnerId: or(text) },
  ...{ action: text, outcome: text, caseIds: some(id), network: or(text), requestId: or(id), hash: text },
};

const counts = {
  ...{ checked: count, differing: count, mended: count, withoutWorkflow: count, withoutCase: count },
  ...{ unanswered: count, orphans: some(text) },
};

export const OUTPUTS: Readonly<Record<OperationName, z.ZodType>> = {
  attention: z.object({
    data: some(
      z.object({
        ...attention,
        ...{ caseId: or(id), partnerId: or(text), partnerName: or(text), partnerCaseId: or(text) },
        ...{ providerId: or(text), cause: text, ...taken },
        link: or(z.url()).meta({ description: "The case in Temporal's Web UI." }),
      }),
    ),
    ...{ total: count, more: z.boolean() },
    next: or(text).meta({ description: 'For `after`: what follows.' }),
  }),
  'case list': z.object({
    data: some(
      z.object({
        ...{ id, partnerId: text, partnerCaseId: text, treatmentType: text, status },
        attention: or(kind).meta({ description: 'For what it needs an operator.' }),
        ...{ attentionSince: or(at), bookingDeadline: date, createdAt: at, updatedAt: at },
      }),
    ),
    more: z.boolean(),
  }),
  'case show': shownCase,
  'case reveals': rows(logged),
  'case take': held,
  'case hand-back': held,
  'case note': z.object({ caseId: id }),
  'case availability': z.object({
    ...{ caseId: id, slots: some(slot) },
    providers: some(z.object({ id: text, name: text, state: z.enum(['live', 'unavailable']), asOf: at })),
  }),
  'case book': outcome,
  'case change': outcome,
  'case move-deadline': outcome,
  'case resend': outcome,
  'case retry': outcome,
  'case resolve-assistance': outcome,
  'case restart': z.union([z.object({ caseId: id, changed, workflow: z.literal('running') }), bulk]),
  'case settle': bulk,
  'case correct': outcome,
  'case unbind': who,
  'case readmit': who,
  'case cancel': outcome,
  'case recall': outcome,
  'case archive': outcome,
  'partner add': partner,
  'partner list': rows({ id: text, name: text, createdAt: at, suspendedAt: or(at), cases: count }),
  'partner rename': partner,
  'partner suspend': partnerChanged,
  'partner resume': partnerChanged,
  'partner retention': z.object({ id: text, months: or(count) }),
  'partner references': z.object({ id: text, show: z.enum(['plain', 'hashed']) }),
  'partner import': z.object({
    ...{ created: count, there: count, wrong: count, waiting: count },
    data: some(
      z.object({
        line: count,
        partnerCaseId: or(text),
        outcome: z
          .enum(['created', 'there', 'wrong', 'waiting'])
          .meta({ description: '`there`: it was handed over before. `waiting`: it would be handed over.' }),
        caseId: or(id),
        faults: some(z.object({ field: text, message: text })),
      }),
    ),
  }),
  'user add': z.object({ ...user, partnerId: text }),
  'user list': rows(user),
  'user activate': z.object({ email: text, partnerId: text, activationToken: text, expiresAt: at }),
  'user suspend': userChanged,
  'user resume': userChanged,
  'user remove': z.object({ email: text, partnerId: text, removed: yes }),
  'key create': issuedKey,
  'key list': rows(key),
  'key rotate': issuedKey,
  'key revoke': z.object({ ...key, changed }),
  'provider list': rows({ ...provider, needsSomebody: count, problems: some(text) }),
  'provider show': shownProvider,
  'provider problems': rows({
    ...{ providerId: text, kind: text, about: or(text), count, firstSeen: at, lastSeen: at },
  }),
  'provider add': shownProvider,
  'provider change': shownProvider,
  'provider offer': shownProvider,
  'provider withdraw': shownProvider,
  'provider remove': z.object({ id: text, removed: yes }),
  'treatment list': rows(treatment),
  'treatment add': z.object(treatment),
  'treatment minutes': z.object({ treatmentType: text, minimumMinutes: or(count) }),
  'access case': rows(access),
  'access by': rows(access),
  'access address': rows({
    ...{ caseId: id, partnerId: or(text), partnerCaseId: or(text), who: text, whoId: or(text) },
    ...{ times: count, refused: count, first: at, last: at },
  }),
  'access verify': rows({
    ...{ log: text, rows: count, from: or(count), since: or(at) },
    broken: z.null().meta({ description: 'Otherwise it is refused with LOG_CHANGED.' }),
  }),
  'person export': rows({ caseId: id, tables: z.record(text, some(z.record(text, z.unknown()))) }),
  'person erase': rows({ caseId: id, erased: z.boolean() }),
  'person hold': rows({ caseId: id, held: z.boolean(), changed }),
  'person erasures': rows({ caseId: id, at, why: z.enum(['request', 'retention']), erasedBy: or(text) }),
  'person reapply-erasures': z.object({ erased: count, unreadable: count }),
  'person keys': rows({
    ...{
      setting: z.enum(['IDENTITY_SECRETS', 'MASTER_KEYS']),
      id: text,
      uses: count,
      withOpenCases: or(count),
    },
  }),
  'person rewrap-keys': z.object({ rewrapped: count }),
  reconcile: z.union([
    z.object({ ...counts, heldBack: count }),
    z.object({
      data: some(z.object({ kind: text, at, ...counts })),
      today: z.object({ differing: count, mended: count }),
    }),
  ]),
  'after-restore': z.object({
    ...{ finished: z.boolean(), begunAt: at, erased: count, notErased: some(id), adopted: count },
    notAdopted: some(
      z.object({
        ...{ caseId: id, partnerId: text, reference: text },
        why: z.enum(['partner_unknown', 'treatment_unknown', 'handed_over_again']),
        bookings: some(z.object({ bookingId: id, providerId: text, start: at })),
      }),
    ),
    restored: some(z.object({ caseId: id, partnerId: text, status, lost: some(text) })).meta({
      description: 'What partners were told anew, and have to send again.',
    }),
    ...{ unreadable: count, withoutWorkflow: count, heldBack: count, unanswered: count },
  }),
  'worker versions': rows({ build: text, workers: count, isCurrent: z.boolean(), since: or(at) }),
  'worker promote': z.object({ current: text }),
  log: rows(logged),
  grant: z.union([
    rows({ id: count, operation: text, what: text, askedBy: text, askedVia: text, askedAt: at, endsAt: at }),
    z.record(text, z.unknown()).meta({ description: 'With a number: what the granted operation answers.' }),
  ]),
  whoami: z.object({ subject: text, name: text, roles: some(text), via: text }),
};
