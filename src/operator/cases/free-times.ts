import { parseTime } from '../../calendar/dates.ts';
import { formatTimestamp } from '../../calendar/format.ts';
import type { ProviderId } from '../../domain/ids.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import type { Slot, SlotRef } from '../../domain/slot.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { createTreatmentCatalogue } from '../../postgres/providers.ts';
import type { ProviderAvailability } from '../../providers/availability.ts';
import type { Operation } from '../operation.ts';
import { table, type Text } from '../terminal.ts';

/** A free time, with the words by which `case book` takes it. */
export interface FreeTime extends Slot {
  readonly token: string;
  readonly providerName: string;
}

export interface FoundTimes {
  readonly times: readonly FreeTime[];
  readonly providers: readonly ProviderAvailability[];
}

export interface Window {
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  readonly providerId?: ProviderId | undefined;
}

/** Asks the providers of the case's treatment now. */
export async function findFreeTimes(
  { database, availability }: Operation,
  view: CaseView,
  { from, to, providerId }: Window,
): Promise<FoundTimes> {
  const types = await createTreatmentCatalogue(database)();
  const type = types.find(({ code }) => code === view.treatment_type);
  const asked = (type?.providers ?? []).filter(({ id }) => providerId === undefined || id === providerId);
  const { slots, providers } = await availability({
    treatmentType: view.treatment_type,
    from,
    to,
    providers: asked,
    minimumMinutes: type?.minimum_minutes ?? null,
  });
  const nameOf = (id: ProviderId) => providers.find((provider) => provider.id === id)?.name ?? id;
  const times = slots.map((slot) => ({
    ...slot,
    token: tokenOf(slot),
    providerName: nameOf(slot.providerId),
  }));
  return { times, providers };
}

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

export const freeTimesTable = ({ times }: Pick<FoundTimes, 'times'>, nothing = 'No free times.'): Text =>
  table(
    ['#', ...HEADINGS, 'Slot'],
    times.map((time, i) => [String(i + 1), ...columns(time), time.token]),
    nothing,
  );

/** To choose from by number. */
export const numberedTable = ({ times }: Pick<FoundTimes, 'times'>, nothing: string): Text =>
  table(
    ['#', ...HEADINGS],
    times.map((time, i) => [String(i + 1), ...columns(time)]),
    nothing,
  );

const HEADINGS = ['Start', 'Minutes', 'Practitioner', 'Where'];
const columns = (time: FreeTime): string[] => [
  formatTimestamp(time.start),
  String((Date.parse(time.end) - Date.parse(time.start)) / 60_000),
  time.practitioner,
  whereOf(time),
];

/** Clinics often begin their addresses with their own name. */
export const whereOf = ({ providerName, location }: Pick<FreeTime, 'providerName' | 'location'>): string =>
  location.startsWith(providerName) ? location : `${providerName}, ${location}`;

export const freeTimeJson = ({
  token,
  providerId,
  providerName,
  practitioner,
  practitionerId,
  location,
  mode,
  start,
  end,
}: FreeTime) => ({
  slot: token,
  providerId,
  providerName,
  practitioner,
  practitionerId,
  location,
  mode,
  start,
  end,
});

/** Providers that did not answer, in words; null when all did. */
export function unavailableProviders({ providers }: Pick<FoundTimes, 'providers'>): string | null {
  const silent = providers.filter(({ state }) => state === 'unavailable').map(({ name }) => name);
  return silent.length > 0 ? `Not asked, since they do not answer now: ${silent.join(', ')}.` : null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Up to three others in place of a time that can't be had, the nearest first. */
export async function alternatives(
  operation: Operation,
  view: CaseView,
  wanted: Pick<SlotRef, 'start'>,
): Promise<readonly FreeTime[]> {
  const at = Date.parse(wanted.start);
  const now = operation.now().getTime();
  const window = {
    from: instant(Math.max(now, at - 7 * DAY_MS)),
    to: instant(Math.max(now, at) + 14 * DAY_MS),
  };
  const { times } = await findFreeTimes(operation, view, window);
  return times
    .toSorted((a, b) => Math.abs(Date.parse(a.start) - at) - Math.abs(Date.parse(b.start) - at))
    .slice(0, 3);
}
