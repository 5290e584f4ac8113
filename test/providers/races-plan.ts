import type { FhirKind } from '../../dev/fhir/capabilities.ts';
import type { Draws } from '../chaos/plan/draws.ts';

/**
 * Who meets over what. `strangers`: a case of ours, another service that knows nothing of our claims, and the clinic's
 * receptionist, all over one slot. `the receptionist`: a case of ours and the receptionist, who leaves the slot as it is.
 */
export const KINDS = [
  'two cases, one slot',
  'one case, two slots',
  'strangers, one slot',
  'the receptionist, one slot',
] as const;
export type Kind = (typeof KINDS)[number];

export interface Contest {
  readonly kind: Kind;
  /** Placed as it begins, and met by whoever comes to it. */
  readonly fault: Readonly<Record<string, unknown>> | null;
  /** Whether the receptionist makes the slot busy, or leaves it as it is: what most servers and programs do. */
  readonly leavesSlot: boolean;
  /** Whether who has the slot at last gives it back. */
  readonly isCancelled: boolean;
  /** Which of the two comes later, and by how much. */
  readonly headStart: readonly [first: number, second: number];
}

export interface Round {
  readonly server: Server;
  readonly contests: readonly Contest[];
}

/** So long everybody here waits for an answer. */
export const TIMEOUT_MS = 4_000;
/** Of each kind in one round, at most: a clinic has times for so many. */
const MOST_AT_ONCE = 20;
/** With versions, and without: there, nobody but our own claims keeps our cases apart. And calendars. */
export const SERVERS = ['full', 'stepwise', 'picky', 'plain', 'caldav'] as const satisfies readonly (
  FhirKind | 'caldav'
)[];
export type Server = (typeof SERVERS)[number];

type Faults = readonly (readonly [weight: number, fault: Readonly<Record<string, unknown>>])[];
const COMMON_FAULTS: Faults = [
  [3, { effect: 'answer', status: 500 }],
  [1, { effect: 'answer', status: 429, headers: { 'retry-after': '1' } }],
  [1, { effect: 'answer', status: 200, body: '<!doctype html>' }],
  [2, { effect: 'drop' }],
  [4, { effect: 'drop-after-commit' }],
  [2, { effect: 'half' }],
  [2, { effect: 'half', then: 'reset' }],
  [1, { effect: 'delay', delayMs: 2 * TIMEOUT_MS }],
];
/** At FHIR servers. */
export const FAULTS: Faults = [...COMMON_FAULTS, [3, { effect: 'duplicate' }], [2, { effect: 'stale-etag' }]];
const CALENDAR_FAULTS: Faults = [...COMMON_FAULTS, [3, { effect: 'no-etag' }], [2, { effect: 'forget' }]];

/** Everything that is left to chance, but who is quicker. @param contests of each kind, at all servers together */
export function planRaces(draws: Draws, contests: number): Round[] {
  const rounds: Round[] = [];
  const atOnce = Math.min(MOST_AT_ONCE, Math.ceil(contests / SERVERS.length));
  for (let planned = 0; planned < contests; planned += atOnce) {
    const server = SERVERS[rounds.length % SERVERS.length] ?? 'full';
    const count = Math.min(atOnce, contests - planned);
    rounds.push({
      server,
      contests: Array.from({ length: count }, () =>
        // Without versions nobody can tell that somebody else was quicker.
        KINDS.filter((kind) => server !== 'plain' || kind !== 'strangers, one slot').map((kind) =>
          drawContest(draws, kind, server),
        ),
      ).flat(),
    });
  }
  return rounds;
}

function drawContest(draws: Draws, kind: Kind, server: Server): Contest {
  const hasFault = draws.between(1, 4) === 1;
  const later = draws.between(0, 12);
  const faults = server === 'caldav' ? CALENDAR_FAULTS : FAULTS;
  return {
    kind,
    fault: hasFault
      ? { ...draws.weighted(faults), after: draws.between(0, 12), times: draws.between(1, 4) }
      : null,
    leavesSlot: kind === 'the receptionist, one slot' || draws.between(0, 1) === 0,
    isCancelled: draws.between(1, 3) === 1,
    headStart: draws.between(0, 1) === 0 ? [0, later] : [later, 0],
  };
}
