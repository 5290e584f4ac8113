import { formatTimestamp } from '../../calendar/format.ts';
import { conclude, type Examination } from '../../providers/conformance/examine.ts';
import type { UnavailableReason } from '../../http-client/exchange.ts';
import type { SearchCount, ServiceSaidBy } from '../../providers/adapter.ts';
import type { EntryFault } from '../../providers/port.ts';
import { type Columns, facts, parts, table, titled, type View } from '../view.ts';

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
  readonly free: readonly Free[];
  readonly unseen: Unseen;
  readonly leftOut: readonly LeftOut[];
  readonly examination: Examination;
}

interface Free {
  readonly treatmentType: string;
  readonly free: number;
  /** Where they say what they are for; null where a time can say it in one way only. */
  readonly saidBy: SearchCount['found'] | null;
}

/** Free times that no customer sees. */
export interface Unseen {
  /** Of which nobody says what they are for. */
  readonly unnamed: number;
  /** By the code of their service, where nothing that was asked for goes by it. */
  readonly others: Readonly<Record<string, number>>;
}

/** For people. */
export function reportText(report: Report): View {
  const { capabilities, tried, triedOn, leftBehind } = report.examination;
  const known = [
    ['Free times', report.free.map((one) => freeTimes(one, report.days)).join('\n')],
    ['Not shown', notShown(report.unseen)],
    [
      'Left out',
      report.leftOut.map(({ type, fault, count }) => `${count} of type ${type} ${FAULTS[fault]}`).join('\n'),
    ],
    ['Tried on', triedOn.map(({ slot, start }) => `${formatTimestamp(start)}, "${slot}"`).join('\n')],
  ] as const;
  const skipped = tried.flatMap(({ verdict: found }) =>
    found.outcome === 'not_possible' ? [found.reason] : [],
  );
  return parts(
    known.every(([, text]) => text === '') ? null : facts(known),
    capabilities.length === 0
      ? null
      : titled(
          'What it can do, by its own account',
          table({ What: 'name', 'Can it': 'state', 'What it means': 'meaning' }, capabilities, ''),
        ),
    titled('What was tried', table(TRIED, tried.filter(isTried), 'Nothing.')),
    skipped.length === 0
      ? null
      : `${skipped.length} more could not be tried: ${[...new Set(skipped)].join('; ')}.`,
    ...(['still_there', 'unknown'] as const).map((state) => {
      const some = leftBehind.filter((one) => one.state === state);
      return some.length === 0 ? null : titled(LEFT_BEHIND[state], table(LEFT_COLUMNS, some, ''));
    }),
    verdict(report.examination),
  );
}

type Left = Examination['leftBehind'][number];

const LEFT_BEHIND: Readonly<Record<Left['state'], string>> = {
  still_there: 'STILL THERE: what was made could not be taken back. Have it freed at the clinic',
  unknown:
    'UNKNOWN: it did not answer when told to take this back, nor when asked whether it is there. Look for it at the clinic',
};

const LEFT_COLUMNS: Columns<Left> = {
  Time: ({ slot }) => slot.start,
  Id: ({ slot }) => slot.slot,
  'Our mark': 'bookingId',
};

type Tried = Examination['tried'][number];

const isTried = ({ verdict: found }: Tried): boolean => found.outcome !== 'not_possible';

/** What was not tried has few reasons, and many lines: it is counted below. */
const TRIED: Columns<Tried> = {
  Result: ({ verdict: found }) => (found.outcome === 'passed' ? 'passed' : 'FAILED'),
  Took: ({ tookMs }) => `${tookMs} ms`,
  What: ({ name, verdict: found }) => (found.outcome === 'passed' ? name : `${name}: ${found.reason}`),
};

const notShown = ({ unnamed, others }: Unseen): string =>
  [
    unnamed > 0 &&
      `${unnamed} free times of which nobody says what they are for (--unnamed-service says it for all of them)`,
    ...Object.entries(others).map(([code, count]) => `${count} free times of the service "${code}"`),
  ]
    .filter(Boolean)
    .join('\n');

const SAID_BY: Record<ServiceSaidBy, string> = {
  slot: 'on the slot',
  schedule: 'on the schedule',
  actor: 'by the HealthcareService or PractitionerRole',
  nobody: 'nowhere (--unnamed-service)',
};

function saidBy({ saidBy: counts }: Free): string {
  const ways = Object.entries(counts ?? {}) as [ServiceSaidBy, number][];
  const said = ways.filter(([, count]) => count > 0).map(([way, count]) => `${count} ${SAID_BY[way]}`);
  return said.length > 0 ? `, their service said ${said.join(', ')}` : '';
}

const freeTimes = (one: Free, days: number): string =>
  one.free > 0
    ? `${one.treatmentType}: ${one.free} free times in the next ${days} days${saidBy(one)}`
    : `${one.treatmentType}: no free times in the next ${days} days. Does the clinic name the service by this code?`;

const FAULTS: Record<EntryFault, string> = {
  malformed: 'are unreadable: a time such as 25:00, or one without an offset',
  ends_before_start: 'end before they start',
  names_nobody: 'do not say whose time it is',
  doubled: 'are the same time of the same practitioner again',
  not_all_read: 'were read, and there are more: customers see some of them',
};

const BEYOND: Readonly<Record<Examination['upTo'], string | null>> = {
  reading:
    'Nothing was changed there, so this does not show that times can be held (--write) and booked (--write --book).',
  holding: 'Nothing was booked, so this does not show that appointments can be made (--book).',
  booking: null,
};

function verdict(examination: Examination): string {
  const { tried, upTo } = examination;
  switch (conclude(examination)) {
    case 'passed':
      return [`All checks passed: ${tried.length} of ${tried.length}.`, BEYOND[upTo]]
        .filter(Boolean)
        .join('\n');
    case 'failed': {
      const failed = tried.filter(({ verdict: found }) => found.outcome === 'failed');
      const summary = `It cannot be used like this: ${failed.length} of ${tried.length} failed.`;
      return [summary, ...advice(examination)].join('\n');
    }
    case 'not_proved':
      return 'Nothing that was tried failed, but too little could be tried.';
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
export const reportJson = ({ days, free, unseen, leftOut: entries, examination }: Report) => ({
  verdict: conclude(examination),
  upTo: examination.upTo,
  days,
  free,
  unseen,
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
  leftBehind: examination.leftBehind.map(({ bookingId, slot, state }) => ({
    bookingId,
    state,
    slot: slot.slot,
    start: slot.start,
  })),
  advice: advice(examination),
});

/** What to do about what is usually the matter; nothing usual where it was us who ended the request. */
const ADVICE: Readonly<Record<UnavailableReason, string | null>> = {
  client_rejected:
    'The client, its secret or its key is unknown there: compare --client-id, the variable, --method and --scope with what the clinic registered.',
  no_token: 'No access token can be had: check --token-url, and whether it can be reached from here.',
  unauthorized:
    'It does not accept our credential: check --auth, what goes with it, and whether the secret is still valid.',
  forbidden:
    'It knows us, and does not allow this: ask the clinic to let us read its times, mark them, and make and cancel appointments.',
  wrong_server:
    'Something answers there, but not the booking system. For FHIR the address is the base below which /metadata and /Slot lie, such as https://fhir.nordlys.example/r4; for CalDAV it is that of the calendars.',
  unknown_host: 'There is no such host: check the spelling of the address.',
  untrusted_certificate:
    "Its certificate is not trusted here: the clinic's own authority goes into NODE_EXTRA_CA_CERTS.",
  no_tls: 'It does not speak TLS there: check https:// or http://, and the port.',
  too_much:
    'It has more in these days than is read of one answer: ask for fewer (--days), or have old events moved elsewhere.',
  timed_out:
    'It takes too long: customers do not wait that long either. A firewall that drops the request looks the same.',
  redirected: 'It redirects, and redirects are not followed: give the address that it names.',
  led_elsewhere:
    'An answer of it leads to another server, which was sent nothing: give the address of the server itself.',
  rate_limited: 'It limits the rate of requests: try again later, and ask the clinic for more.',
  server_error: 'The fault is at their end, or temporary: try again, then tell the clinic.',
  no_answer: 'Nothing answers there: check host and port, firewalls, and whether the server is up.',
  write_refused:
    'It does not take what we write: ask the clinic to let us mark times, and make and cancel appointments, or what it misses in them.',
  cancelled: null,
};
