import { z } from 'zod';
import { ATTENTION_KINDS, BULK_KINDS } from '../../domain/attention.ts';
import { CASE_STATUSES, CHANNELS } from '../../domain/case-state.ts';
import { AVAILABILITY_DAYS, MAX_AVAILABILITY_DAYS, RESENDS_A_DAY } from '../../domain/limits.ts';
import { describe, field, flag, knownId, line, note, time, wholeNumber } from '../description.ts';
import { LIMIT } from './logs.ts';

const OF_CASE =
  "the case's id, at least its first 8 characters, or the partner's reference, or the hash of it that Temporal shows";

const which = { case: field(line(200), OF_CASE, { positional: true }) };

/** For what changes a case: what it is to be like, or else nothing is done. */
const changed = {
  ...which,
  expectedStatus: field(z.enum(CASE_STATUSES).optional(), 'only if it is still in this status', {
    placeholder: 'status',
  }),
  revision: field(
    wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
    'only if it is still as of this revision, as `case show` tells it',
  ),
};

const day = z.iso.date('must be a calendar date: 2026-11-24.');
const SUPPORT = ['support'] as const;

export const caseList = describe({
  name: 'case list',
  title: 'Cases',
  summary: "everybody's cases, the newest first; nothing personal",
  roles: ['support', 'platform'],
  changes: false,
  input: z.strictObject({
    partner: field(knownId.optional(), 'only of this partner', { of: 'partner', placeholder: 'id' }),
    status: field(
      z.array(z.enum(CASE_STATUSES)).max(CASE_STATUSES.length).optional(),
      'only in this status; may be given several times',
    ),
    attention: field(
      z.enum(['any', ...ATTENTION_KINDS]).optional(),
      'only those that need an operator, or need one for this',
      { bare: 'any', placeholder: 'kind' },
    ),
    since: field(time.optional(), 'only what has changed since: 2026-11-24, "2026-11-24 09:00"'),
    limit: field(wholeNumber(1, 10_000).default(50), 'how many'),
  }),
  examples: [
    ['case list --attention', 'what needs an operator'],
    ['case list --partner fjordtrygd --status booked --since 2026-11-01', 'what was booked for a partner'],
    ['case list --status error --json', 'for a script'],
  ],
});

export const caseShow = describe({
  name: 'case show',
  title: 'Look at the case',
  summary: 'status of a case, what comes next, and all that has happened; nothing personal',
  roles: ['support', 'platform'],
  roleWith: { field: 'reveal', role: 'reveal' },
  changes: false,
  input: z.strictObject({
    ...which,
    reveal: field(
      flag.optional(),
      'also names, addresses, the injury and free texts; needs --reason and --ticket, and is logged',
    ),
    reason: field(note.optional(), 'why you have to see it'),
    ticket: field(line(100).optional(), 'the ticket or call that it is for', { placeholder: 'id' }),
  }),
  choices: ['case'],
  examples: [
    ['case show 3f2a9c1e', 'by the beginning of its id'],
    ['case show TF-2026-000123', "by the partner's reference"],
    [
      'case show 3f2a9c1e --reveal --reason "the customer asked to be called" --ticket S-4711',
      'whom to call',
    ],
  ],
});

export const caseReveals = describe({
  name: 'case reveals',
  title: 'Who saw personal data',
  summary: 'who was shown the personal data of which case, when and why',
  roles: ['auditor'],
  changes: false,
  input: z.strictObject({
    case: field(line(200).optional(), `only of this case: ${OF_CASE}`, { positional: true }),
    limit: LIMIT,
  }),
  choices: ['case'],
  examples: [
    ['case reveals', 'the newest of all cases'],
    ['case reveals 3f2a9c1e', 'who has seen this one'],
  ],
});

export const caseTake = describe({
  name: 'case take',
  title: 'Take the case',
  summary:
    'say that you work on a case that needs somebody, so that nobody else does; asks where a colleague has it',
  roles: ['support', 'platform'],
  changes: true,
  asks: true,
  input: z.strictObject(which),
  choices: ['case'],
  examples: [['case take 3f2a9c1e', 'before you call the customer']],
});

export const caseHandBack = describe({
  name: 'case hand-back',
  title: 'Hand the case back',
  summary: 'let somebody else take a case that you have; what nobody needs any more is handed back by itself',
  roles: ['support', 'platform'],
  changes: true,
  input: z.strictObject(which),
  choices: ['case'],
  examples: [['case hand-back 3f2a9c1e', 'at the end of the day']],
});

export const caseNote = describe({
  name: 'case note',
  title: 'Note something',
  summary: 'write down what was done or agreed, for colleagues; nothing personal',
  roles: ['support', 'platform'],
  changes: true,
  input: z.strictObject({ ...which, text: field(note, 'what they are to know', { multiline: true }) }),
  choices: ['case'],
  examples: [['case note 3f2a9c1e --text "the clinic calls back tomorrow"', 'for whoever is on duty then']],
});

export const caseAvailability = describe({
  name: 'case availability',
  title: 'Free times',
  summary: 'list the free times for a case, asked of the clinics now',
  roles: SUPPORT,
  changes: false,
  input: z.strictObject({
    ...which,
    from: field(day.optional(), 'the first day (default: today)', { placeholder: 'date' }),
    to: field(
      day.optional(),
      `the last day (default: ${AVAILABILITY_DAYS} days later; at most ${MAX_AVAILABILITY_DAYS})`,
      { placeholder: 'date' },
    ),
    provider: field(knownId.optional(), 'only this provider', { of: 'provider', placeholder: 'id' }),
  }),
  choices: ['case'],
  examples: [
    ['case availability 3f2a9c1e', 'the next two weeks'],
    [
      'case availability 3f2a9c1e --provider nordlys --from 2026-12-01 --to 2026-12-05',
      'a week at one clinic',
    ],
  ],
});

/** A customer without eID is booked by phone. */
const bookingInput = z.strictObject({
  ...changed,
  identityChecked: field(note, "how you made sure who the customer is; kept in the operators' log", {
    placeholder: 'how',
  }),
  slot: field(line(500).optional(), 'a slot of `case availability`'),
  start: field(time.optional(), 'or when it begins, in Norway: "2026-11-24 09:00"'),
  provider: field(knownId.optional(), 'together with --start: at which provider', {
    of: 'provider',
    placeholder: 'id',
  }),
  practitioner: field(line(200).optional(), 'together with --start: with whom (a part of the name will do)', {
    placeholder: 'name',
  }),
});

export const caseBook = describe({
  name: 'case book',
  title: 'Book a time',
  summary: 'book a time for a customer without eID; without --slot or --start it lists them and asks',
  roles: SUPPORT,
  changes: true,
  input: bookingInput,
  choices: ['case', 'slot'],
  examples: [
    [
      'case book 3f2a9c1e --identity-checked "called back on the number of the case"',
      'list, and choose by number',
    ],
    [
      'case book 3f2a9c1e --start "2026-11-24 09:00" --provider nordlys --identity-checked "called back"',
      'a time that was agreed on',
    ],
  ],
});

export const caseChange = describe({
  name: 'case change',
  title: 'Book another time',
  summary: 'book another time instead; the old one is released once the new one is secured',
  roles: SUPPORT,
  changes: true,
  input: bookingInput,
  choices: ['case', 'slot'],
  examples: [
    [
      'case change 3f2a9c1e --start "2026-11-25 13:00" --identity-checked "called back"',
      'another time for a booked customer',
    ],
  ],
});

export const caseMoveDeadline = describe({
  name: 'case move-deadline',
  title: 'Move the last day',
  summary: 'move the last day to book; an expired case can be booked again',
  roles: SUPPORT,
  changes: true,
  input: z.strictObject({
    ...changed,
    date: field(line(10), 'the new last day, such as 2026-12-24', { positional: true, placeholder: 'date' }),
  }),
  choices: ['case'],
  examples: [['case move-deadline 3f2a9c1e 2026-12-24', 'to Christmas Eve']],
});

export const caseResend = describe({
  name: 'case resend',
  title: 'Send the link again',
  summary: `send the booking link again; ${RESENDS_A_DAY} times a day`,
  roles: SUPPORT,
  changes: true,
  input: z.strictObject({
    ...changed,
    channel: field(z.enum(CHANNELS).optional(), 'only there (default: wherever the case has an address)'),
  }),
  choices: ['case'],
  examples: [['case resend 3f2a9c1e --channel sms', 'as SMS only']],
});

export const caseRetry = describe({
  name: 'case retry',
  title: 'Try again',
  summary: 'go on after an error, or recheck a slot still busy after release',
  roles: SUPPORT,
  changes: true,
  input: z.strictObject(changed),
  choices: ['case'],
  examples: [['case retry 3f2a9c1e', 'once it is settled with the clinic']],
});

export const caseResolveAssistance = describe({
  name: 'case resolve-assistance',
  title: 'Settle the request for help',
  summary: 'note that a request for help is settled',
  roles: SUPPORT,
  changes: true,
  input: z.strictObject({
    ...changed,
    note: field(note.optional(), "what was done; kept in the operators' log"),
  }),
  choices: ['case'],
  examples: [['case resolve-assistance 3f2a9c1e --note "explained by phone"', 'no booking was wanted']],
});

export const caseRestart = describe({
  name: 'case restart',
  title: 'Start the workflow again',
  summary: 'start the workflow of an open case again, after it was terminated, has failed or is gone',
  roles: ['support', 'platform'],
  changes: true,
  asks: true,
  input: z.strictObject({
    ...changed,
    case: which.case.optional(),
    allLost: field(flag.optional(), 'all cases whose workflow is lost, in place of one'),
    note: field(note.optional(), "why; kept in the operators' log"),
  }),
  choices: ['case'],
  examples: [
    ['case list --attention workflow_lost', 'the cases that it is for'],
    ['case restart 3f2a9c1e --note "terminated by mistake"', 'bring one back'],
    ['case restart --all-lost --note "the namespace was deleted"', 'bring all of them back'],
  ],
});

export const caseSettle = describe({
  name: 'case settle',
  title: 'Settle what one cause stopped',
  summary: 'do what brings on all cases that one cause stopped: start again, retry, send again, try now',
  roles: ['support', 'platform'],
  changes: true,
  asks: true,
  input: z.strictObject({
    kind: field(z.enum(BULK_KINDS), 'what they need an operator for', { positional: true }),
    cause: field(line(100).optional(), 'only of this cause: a clinic, or a message channel', {
      placeholder: 'id',
    }),
    partner: field(line(50).optional(), 'only of this partner', { of: 'partner', placeholder: 'id' }),
    note: field(note.optional(), "why; kept in the operators' log", { placeholder: 'text' }),
  }),
  examples: [
    ['case settle transfer_refused --cause nordlys', 'once it is settled with the clinic'],
    [
      'case settle message_stuck --cause email',
      'once the mail server takes them again: now, not in ten minutes',
    ],
    ['case settle undeliverable --partner fjordtrygd', 'send their links again'],
  ],
  more: 'It goes on where it was when it was broken off: what is settled needs nobody any more.',
});

export const attention = describe({
  name: 'attention',
  title: 'Work list',
  summary: 'what needs an operator, the longest first: what, since when, why, and what to do',
  roles: ['support', 'platform', 'onboarding'],
  changes: false,
  input: z.strictObject({
    kind: field(z.array(z.enum(ATTENTION_KINDS)).optional(), 'only for this; may be given several times'),
    provider: field(line(50).optional(), 'only at this clinic', { of: 'provider', placeholder: 'id' }),
    partner: field(line(50).optional(), 'only of this partner', { of: 'partner', placeholder: 'id' }),
    takenBy: field(
      line(200).optional(),
      'only what this operator has taken; "me": what you have, "nobody": what is free',
      { placeholder: 'name' },
    ),
    after: field(line(100).optional(), 'what follows the page that ended there: the `next` of its answer', {
      placeholder: 'cursor',
    }),
    limit: field(wholeNumber(1, 10_000).default(50), 'how many', { placeholder: 'number' }),
  }),
  examples: [
    ['attention', 'the work list'],
    ['attention --taken-by nobody', 'what nobody works on yet'],
    ['attention --kind transfer_pending --provider nordlys', 'what waits for a clinic'],
  ],
});

/** A correction that is asked for where its value is left out: so what is typed is in no shell's history. */
const corrected = (what: string, placeholder: string) =>
  field(line(300).optional(), what, { prompted: true, placeholder });

export const caseCorrect = describe({
  name: 'case correct',
  title: 'Correct name or address',
  summary: "correct the customer's addresses or name; an unbooked case's link is sent to a corrected address",
  roles: SUPPORT,
  changes: true,
  input: z.strictObject({
    ...changed,
    email: corrected('without the address it is asked for', 'address'),
    phone: corrected('with country prefix; without the number it is asked for', 'number'),
    firstName: corrected('until somebody has logged in; without the name it is asked for', 'name'),
    lastName: corrected('likewise', 'name'),
  }),
  choices: ['case'],
  examples: [
    ['case correct 3f2a9c1e --email', "ask for the address, so that it stays out of the shell's history"],
    ['case correct 3f2a9c1e --phone +4790000000', 'give it at once'],
  ],
});

export const caseUnbind = describe({
  name: 'case unbind',
  title: 'Take it from who logged in',
  summary:
    'take a case from whoever logged in to it, and log them out; they stay out, and the next person whose name matches is bound',
  roles: SUPPORT,
  changes: true,
  asks: true,
  input: z.strictObject({
    ...changed,
    reason: field(note, "why; kept with the case and in the operators' log"),
  }),
  choices: ['case'],
  examples: [['case unbind 3f2a9c1e --reason "a namesake had opened the link"', 'the wrong person']],
});

export const caseReadmit = describe({
  name: 'case readmit',
  title: 'Let in again',
  summary: 'let somebody who was unbound log in to a case again; bound is whoever does first',
  roles: SUPPORT,
  changes: true,
  input: z.strictObject({
    ...changed,
    reason: field(note, "why; kept in the operators' log"),
    person: field(wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(), 'which, as `case show` numbers them'),
  }),
  choices: ['case', 'person'],
  examples: [['case readmit 3f2a9c1e --reason "it was the right one after all"', 'the only one unbound']],
});

export const caseCancel = describe({
  name: 'case cancel',
  title: 'Cancel the appointment',
  summary: 'cancel the appointment at the clinic; the customer is told, and may book again',
  roles: SUPPORT,
  changes: true,
  asks: true,
  input: z.strictObject({
    ...changed,
    identityChecked: field(note.optional(), 'when the customer asked: how you made sure who it is', {
      placeholder: 'how',
    }),
    reason: field(note.optional(), 'otherwise: why'),
  }),
  choices: ['case'],
  examples: [
    ['case cancel 3f2a9c1e --identity-checked "called back"', 'the customer asked for it by phone'],
    ['case cancel 3f2a9c1e --reason "the practitioner is ill" --yes', 'in a script'],
  ],
});

export const caseRecall = describe({
  name: 'case recall',
  title: 'Recall the case',
  summary: 'end a case for its partner; an appointment is cancelled, and the customer told',
  roles: SUPPORT,
  changes: true,
  asks: true,
  input: z.strictObject({
    ...changed,
    reason: field(note, 'why; the partner reads it on the case'),
  }),
  choices: ['case'],
  examples: [['case recall 3f2a9c1e --reason "Settled otherwise"', 'as the partner asked']],
});

export const caseArchive = describe({
  name: 'case archive',
  title: 'Archive the case',
  summary: 'close a case for good',
  roles: SUPPORT,
  changes: true,
  asks: true,
  input: z.strictObject(changed),
  choices: ['case'],
  examples: [['case archive 3f2a9c1e', 'one that is over']],
});
