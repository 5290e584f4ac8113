import { addDays, dateAt, parseTime, startOfDate } from '../../calendar/dates.ts';
import { findAlternatives, findFreeSlots, type FreeSlot, type FreeSlots } from '../../cases/free-slots.ts';
import type { ProviderId } from '../../domain/ids.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { AVAILABILITY_DAYS, MAX_AVAILABILITY_DAYS } from '../../domain/limits.ts';
import type { SlotRef } from '../../domain/slot.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { createTreatmentCatalogue } from '../../postgres/providers.ts';
import type { InputOf } from '../descriptions/index.ts';
import { dayOf } from '../input-rules.ts';
import { answer, type Operation } from '../operation.ts';
import { notFound, wrongUsage } from '../operator-error.ts';
import { type Columns, parts, table, type View } from '../view.ts';
import { forCase } from './current-case.ts';

/** What there is to choose from on the phone. */
export const availability = forCase(async (operation, view, input: InputOf<'case availability'>) => {
  const now = operation.now();
  const first = input.from === undefined ? dateAt(now) : dayOf('from', input.from);
  const last = input.to === undefined ? addDays(first, AVAILABILITY_DAYS) : dayOf('to', input.to);
  if (last < first) throw wrongUsage('--to must not be before --from.');
  if (last > addDays(first, MAX_AVAILABILITY_DAYS))
    throw wrongUsage(`--to may be up to ${MAX_AVAILABILITY_DAYS} days after --from.`);
  const begin = [startOfDate(first), instant(now)].sort().at(-1) as Instant;
  const { times, providers } = await findFreeTimes(operation, view, {
    from: begin,
    to: startOfDate(addDays(last, 1)),
    providerId: input.provider as ProviderId | undefined,
  });
  return answer(
    parts(freeTimesTable(times, `No free times from ${first} to ${last}.`), unavailableProviders(providers)),
    { caseId: view.id, slots: times.map(freeTimeJson), providers },
  );
});

/** A free time, with the words by which `case book` takes it. */
export interface FreeTime extends FreeSlot {
  readonly token: string;
}

export interface FoundTimes {
  readonly times: readonly FreeTime[];
  readonly providers: FreeSlots['providers'];
}

interface Window {
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  readonly providerId?: ProviderId | undefined;
}

/** Asks the providers of the case's treatment now. @throws OperatorError when none offers it */
export async function findFreeTimes(
  operation: Operation,
  view: CaseView,
  { from, to, providerId }: Window,
): Promise<FoundTimes> {
  const isAsked = (id: ProviderId) => providerId === undefined || id === providerId;
  const { slots, providers } = await findFreeSlots(depsOf(operation), view, { from, to, isAsked });
  if (providers.length === 0) {
    const who = providerId === undefined ? 'No provider' : `No provider "${providerId}"`;
    throw notFound(`${who} offers ${view.treatment_type}. \`operator provider list\` shows who offers what.`);
  }
  return { times: slots.map(withToken), providers };
}

/** Up to three other times in place of one that cannot be had, the nearest first. */
export const alternatives = async (
  operation: Operation,
  view: CaseView,
  taken: Parameters<typeof findAlternatives>[2],
): Promise<readonly FreeTime[]> => (await findAlternatives(depsOf(operation), view, taken)).map(withToken);

const depsOf = (operation: Operation) => ({
  ...operation,
  treatmentTypes: createTreatmentCatalogue(operation.database),
});

const withToken = (slot: FreeSlot): FreeTime => ({ ...slot, token: tokenOf(slot) });

/** Provider, start and the provider's own id of the slot: enough to ask for it again, and nothing to keep secret. */
const tokenOf = ({ providerId, start, slot }: SlotRef): string =>
  [providerId, start.replace(/(:00)?\.000Z$/, 'Z'), slot].join('/');

export type SlotToken = Pick<SlotRef, 'providerId' | 'start' | 'slot'>;

/** @returns null for what is no token of the listing */
export function parseToken(text: string): SlotToken | null {
  const [providerId = '', begin = '', ...rest] = text.split('/');
  const start = parseTime(begin);
  const slot = rest.join('/');
  return providerId !== '' && start && slot !== ''
    ? { providerId: providerId as ProviderId, start, slot }
    : null;
}

/** Numbered, so that one can be chosen. */
export const freeTimesTable = (times: readonly FreeTime[], nothing: string, columns = COLUMNS): View =>
  table(
    columns,
    times.map((time, i) => ({ ...time, number: i + 1 })),
    nothing,
  );

/** Without what only a script or a second command needs. */
export const COLUMNS_TO_CHOOSE: Columns<FreeTime & { number: number }> = {
  '#': 'number',
  Start: 'start',
  Minutes: ({ start, end }) => (Date.parse(end) - Date.parse(start)) / 60_000,
  Practitioner: 'practitioner',
  Where: whereOf,
};
const COLUMNS: typeof COLUMNS_TO_CHOOSE = { ...COLUMNS_TO_CHOOSE, Slot: 'token' };

/** Clinics often begin their addresses with their own name. */
export function whereOf({ providerName, location }: Pick<FreeTime, 'providerName' | 'location'>): string {
  return location.startsWith(providerName) ? location : `${providerName}, ${location}`;
}

export const freeTimeJson = ({ token, ...time }: FreeTime) => ({
  slot: token,
  providerId: time.providerId,
  providerName: time.providerName,
  practitioner: time.practitioner,
  practitionerId: time.practitionerId,
  location: time.location,
  mode: time.mode,
  start: time.start,
  end: time.end,
});

/** Providers that did not answer, in words; null when all did. */
export function unavailableProviders(providers: FreeSlots['providers']): string | null {
  const names = providers.filter(({ state }) => state === 'unavailable').map(({ name }) => name);
  return names.length > 0 ? `Unavailable, so their times are missing: ${names.join(', ')}.` : null;
}
