import { timeInList } from '../../calendar/format.ts';
import { conclude, type Examination } from '../../providers/conformance/examine.ts';
import type { EntryFault } from '../../providers/port.ts';
import { facts, parts, table, titled, type Text } from '../text.ts';
import { adviceOn } from './advice.ts';

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
  triedOn.map(({ slot, start }) => `${timeInList(start)}, "${slot}"`).join('\n');

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
      left.map(({ slot, bookingId }) => [timeInList(slot.start), slot.slot, bookingId]),
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
    tried.flatMap(({ verdict: found }) => (found.outcome === 'failed' ? (adviceOn(found.reason) ?? []) : [])),
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
