import { formatTimestamp } from '../../calendar/format.ts';
import { conclude, type Examination } from '../../providers/conformance/examine.ts';
import type { UnavailableReason } from '../../http-client/exchange.ts';
import type { EntryFault } from '../../providers/port.ts';
import { facts, parts, table, type Text, titled } from '../terminal.ts';

/** Entries that the system sent and that are not shown. */
export interface LeftOut {
  readonly type: string;
  readonly fault: EntryFault;
  readonly count: number;
}

/** What a check of a booking system has shown. */
export interface Report {
  readonly days: number;
  /** Free times in these days. */
  readonly free: readonly { readonly treatmentType: string; readonly free: number }[];
  readonly leftOut: readonly LeftOut[];
  readonly examination: Examination;
}

export function reportText({ examination, ...report }: Report): Text {
  const { capabilities, tried } = examination;
  const known = [
    ['Free times', report.free.map((one) => freeTimes(one, report.days)).join('\n')],
    ['Left out', report.leftOut.map(leftOut).join('\n')],
    ['Tried on', triedOn(examination)],
  ] as const;
  return parts(
    known.every(([, text]) => text === '') ? null : facts(known),
    capabilities.length === 0
      ? null
      : titled(
          'What it can do, by its own account',
          table(
            ['What', 'Can it', 'What it means'],
            capabilities.map(({ name, state, meaning }) => [name, state, meaning]),
            '',
          ),
        ),
    titled('What was tried', table(['Result', 'Took', 'What'], tried.flatMap(line), 'Nothing.')),
    notTried(examination),
    leftBehind(examination),
    verdict(examination),
  );
}

const freeTimes = ({ treatmentType, free }: Report['free'][number], days: number): string =>
  free > 0
    ? `${treatmentType}: ${free} free times in the next ${days} days`
    : `${treatmentType}: no free times in the next ${days} days. Does the clinic name the service by this code?`;

const FAULTS: Record<EntryFault, string> = {
  malformed: 'can not be read: a time such as 25:00, or one without an offset',
  ends_before_start: 'end before they start',
  names_nobody: 'do not say whose time it is',
  doubled: 'are the same time of the same practitioner again',
  not_all_read: 'were read, and there are more: customers see a part of it',
};

const leftOut = ({ type, fault, count }: LeftOut): string => `${count} of type ${type} ${FAULTS[fault]}`;

const triedOn = ({ triedOn }: Examination): string =>
  triedOn.map(({ slot, start }) => `${formatTimestamp(start)}, "${slot}"`).join('\n');

const line = ({ name, verdict, tookMs }: Examination['tried'][number]): string[][] => {
  if (verdict.outcome === 'not_possible') return [];
  const isGood = verdict.outcome === 'passed';
  return [[isGood ? 'passed' : 'FAILED', `${tookMs} ms`, isGood ? name : `${name}: ${verdict.reason}`]];
};

/** What is not tried has few reasons, and many lines. */
function notTried({ tried }: Examination): string | null {
  const reasons = tried.flatMap(({ verdict }) =>
    verdict.outcome === 'not_possible' ? [verdict.reason] : [],
  );
  if (reasons.length === 0) return null;
  return `${reasons.length} more could not be tried: ${[...new Set(reasons)].join('; ')}.`;
}

function leftBehind({ leftBehind: left }: Examination): Text | null {
  if (left.length === 0) return null;
  return titled(
    'STILL THERE: what was made could not be taken back. Have it freed at the clinic',
    table(
      ['Time', 'Id', 'Our mark'],
      left.map(({ slot, bookingId }) => [formatTimestamp(slot.start), slot.slot, bookingId]),
      '',
    ),
  );
}

const BEYOND: Readonly<Record<Examination['upTo'], string | null>> = {
  reading:
    'Nothing was changed there, so this does not show that times can be held (--write) and booked (--write --book).',
  holding: 'Nothing was booked, so this does not show that appointments can be made (--book).',
  booking: null,
};

function verdict(examination: Examination): string {
  const { tried, upTo } = examination;
  const count = (outcome: string) => tried.filter(({ verdict: found }) => found.outcome === outcome).length;
  switch (conclude(examination)) {
    case 'passed':
      return [`It does all that was tried: ${tried.length} of ${tried.length}.`, BEYOND[upTo]]
        .filter(Boolean)
        .join('\n');
    case 'failed':
      return [
        `It can not be used like this: ${count('failed')} of ${tried.length} failed.`,
        ...advice(examination),
      ].join('\n');
    case 'not_proved':
      return 'Nothing is wrong with what was tried, but that is not all: this shows too little.';
  }
}

const advice = ({ tried }: Examination): string[] => [
  ...new Set(
    tried.flatMap(({ verdict: found }) =>
      found.outcome === 'failed' && found.cause ? (ADVICE[found.cause] ?? []) : [],
    ),
  ),
];

/** The same for scripts. */
export const reportJson = ({ days, free, leftOut: entries, examination }: Report) => ({
  verdict: conclude(examination),
  upTo: examination.upTo,
  days,
  free,
  leftOut: entries,
  capabilities: examination.capabilities,
  tried: examination.tried.map(({ stage, name, verdict: found, tookMs }) => ({
    stage,
    name,
    outcome: found.outcome,
    reason: found.outcome === 'passed' ? null : found.reason,
    tookMs,
  })),
  triedOn: examination.triedOn.map(({ slot, start }) => ({ slot, start })),
  leftBehind: examination.leftBehind.map(({ bookingId, slot }) => ({
    bookingId,
    slot: slot.slot,
    start: slot.start,
  })),
  advice: advice(examination),
});

/** What to do about what is usually the matter; nothing usual where it was us who ended the request. */
const ADVICE: Readonly<Record<UnavailableReason, string | null>> = {
  client_rejected:
    'The client is not known there, or its secret or key is not: compare --client-id, the variable, --method and --scope with what the clinic registered.',
  no_token: 'No access token is to be had: check --token-url, and whether it is reached from here.',
  unauthorized:
    'It does not accept who we are: check --auth, what goes with it, and whether the secret is still good.',
  forbidden:
    'It knows us, and does not allow this: ask the clinic to let us read its times, and change Slot, Appointment and Patient.',
  wrong_server:
    'Something answers there, but not the booking system. For FHIR the address is the base below which /metadata and /Slot lie, such as https://fhir.nordlys.example/r4; for CalDAV it is that of the calendars.',
  unknown_host: 'There is no such host: check the spelling of the address.',
  untrusted_certificate:
    "Its certificate is not trusted here: the clinic's own authority goes into NODE_EXTRA_CA_CERTS.",
  no_tls: 'It does not speak TLS there: check https:// or http://, and the port.',
  timed_out:
    'It takes too long: customers do not wait that long either. A firewall that swallows the request looks the same.',
  redirected: 'It sends us elsewhere, and redirects are not followed: give the address that it names.',
  rate_limited: 'It limits how often it may be asked: try again later, and ask the clinic for more.',
  server_error: 'The fault is at their end, or passes: try again, then tell the clinic.',
  no_answer: 'Nobody answers there: check host and port, firewalls, and whether the server is up.',
  write_refused:
    'It does not take what we write: ask the clinic to let us change Slot, Appointment and Patient, or what it misses in them.',
  cancelled: null,
};
