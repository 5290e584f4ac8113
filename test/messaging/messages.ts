import { type Language, LANGUAGES } from '../../src/calendar/format.ts';
import { MESSAGE_KINDS, type MessageKind } from '../../src/domain/events.ts';
import { ATTENTION_KINDS, type AttentionKind } from '../../src/domain/attention.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import { createWebUi } from '../../src/temporal/web-ui.ts';
import { type CalendarDate, instant, type Instant } from '../../src/domain/instant.ts';
import type { Alert } from '../../src/postgres/alerts.ts';
import { composeAlert } from '../../src/messaging/operator-alert.ts';
import { composeEmail } from '../../src/messaging/texts/email.ts';
import type { MessageFacts } from '../../src/messaging/texts/wording.ts';

/** What the suites of the messages have in common: the facts of a case, and all there is to say of it. */

const PATH = '/b/6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d';

export const USUAL: MessageFacts = {
  partnerName: 'Fremtind',
  bookingUrl: `https://book.example.no${PATH}`,
  bookingDeadline: '2026-09-30' as CalendarDate,
  daysLeft: 3,
  // the longest day and month names there are, so that what fits here fits always
  appointment: { start: instant('2026-09-24T12:30:00Z'), end: instant('2026-09-24T13:15:00Z') },
  supportEmail: 'hjelp@example.no',
  supportPhone: '+47 22 12 34 56',
};

/** A long name at a long address, as there are. */
export const LONG: MessageFacts = {
  ...USUAL,
  partnerName: 'Gjensidige Livsforsikring Norge',
  bookingUrl: `https://timebestilling.gjensidige-forsikring.no${PATH}`,
};

/** As long as anything may be: the settings and the register take no more. */
export const LONGEST: MessageFacts = {
  ...USUAL,
  partnerName: 'Livsforsikringsselskapet '.repeat(8).slice(0, 200),
  bookingUrl: `https://${'a'.repeat(49)}.no${PATH}`,
  supportPhone: '+4722123456789012345',
};

export const EACH = LANGUAGES.flatMap((language) =>
  MESSAGE_KINDS.map((kind): [MessageKind, Language] => [kind, language]),
);

/** These are never without an appointment. */
const WITH_APPOINTMENT: readonly MessageKind[] = [
  'receipt',
  'changed',
  'appointment_reminder',
  'earlier_time',
  'cancelled',
];

/** With an appointment and, where that may be, without; before, on and after the last day. */
export const situationsOf = (kind: MessageKind, usual: MessageFacts = USUAL): readonly MessageFacts[] =>
  [usual, ...(WITH_APPOINTMENT.includes(kind) ? [] : [{ ...usual, appointment: null }])].flatMap((facts) =>
    [3, 1, 0, -1].map((daysLeft) => ({ ...facts, daysLeft })),
  );

/** What a message is made of, wherever it may be read: beside the subject, on a lock screen, aloud. */
export function partsOf(kind: MessageKind, facts: MessageFacts, language: Language): string[] {
  const { subject, text, html } = composeEmail(kind, facts, language);
  return [subject, text, html];
}

/** An alert to operators, of a case or a clinic. */
export const alertOf = (kind: AttentionKind, changes: Partial<Alert> = {}): Alert => {
  const isOfCases = !['changes_unseen', 'break_glass', 'alerts_failing'].includes(kind);
  return {
    ...{ id: 7, kind, cause: 'havglott', causeName: 'Havgløtt\r\n Helse', waiting: 1, told: 0, overAt: null },
    since: '2026-11-22T03:10:00.000Z' as Instant,
    answer: 'FHIR POST Appointment: HTTP 503',
    cases: isOfCases ? [{ caseId, partnerName: LONG.partnerName }] : [],
    ...changes,
  };
};
/** As the development stack has it. */
export const webUi = createWebUi('http://localhost:8233', 'default');

export const caseId = '6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d' as CaseId;

/** The HTML of every e-mail there is, by name, with a long address and a long name in it. */
export const EVERY_EMAIL: Readonly<Record<string, string>> = Object.fromEntries([
  // bokmål has English below
  ...MESSAGE_KINDS.flatMap((kind) =>
    (['nb', 'nn'] as const).map((language) => [
      `${kind}.${language}`,
      composeEmail(kind, LONG, language).html,
    ]),
  ),
  ...ATTENTION_KINDS.map((kind) => [`operator-${kind}`, composeAlert(alertOf(kind), webUi).html]),
]);
