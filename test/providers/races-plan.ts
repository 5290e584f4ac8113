import type { FhirKind } from '../../dev/fhir/capabilities.ts';
import type { Draws } from '../chaos/plan/draws.ts';

/**
 * Who meets over what. `strangers`: a case of ours, another service that knows nothing of our claims, and the clinic's
 * receptionist, all over one slot.
 */
export const KINDS = ['two cases, one slot', 'one case, two slots', 'strangers, one slot'] as const;
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
  readonly fhir: FhirKind;
  readonly contests: readonly Contest[];
}

/** So long everybody here waits for an answer. */
export const TIMEOUT_MS = 4_000;
const OF_EACH_KIND = 30;
/** With versions, and without: there, nobody but our own claims keeps our cases apart. */
const SERVERS = ['full', 'stepwise', 'picky', 'plain'] as const satisfies readonly FhirKind[];

export const FAULTS: readonly (readonly [weight: number, fault: Readonly<Record<string, unknown>>])[] = [
  [3, { effect: 'answer', status: 500 }],
  [1, { effect: 'answer', status: 429, headers: { 'retry-after': '1' } }],
  [1, { effect: 'answer', status: 200, body: '<!doctype html>' }],
  [2, { effect: 'drop' }],
  [4, { effect: 'drop-after-commit' }],
  [2, { effect: 'half' }],
  [2, { effect: 'half', then: 'reset' }],
  [3, { effect: 'duplicate' }],
  [2, { effect: 'stale-etag' }],
  [1, { effect: 'delay', delayMs: 2 * TIMEOUT_MS }],
];

/** Everything that is left to chance, but who is quicker. @param contests of each kind */
export function planRaces(draws: Draws, contests: number): Round[] {
  const rounds: Round[] = [];
  for (let planned = 0; planned < contests; planned += OF_EACH_KIND) {
    const fhir = SERVERS[rounds.length % SERVERS.length] ?? 'full';
    const count = Math.min(OF_EACH_KIND, contests - planned);
    rounds.push({
      fhir,
      contests: Array.from({ length: count }, () =>
        // Without versions nobody can tell that somebody else was quicker.
        KINDS.filter((kind) => fhir !== 'plain' || kind !== 'strangers, one slot').map((kind) =>
          drawContest(draws, kind),
        ),
      ).flat(),
    });
  }
  return rounds;
}

function drawContest(draws: Draws, kind: Kind): Contest {
  const hasFault = draws.between(1, 4) === 1;
  const later = draws.between(0, 12);
  return {
    kind,
    fault: hasFault
      ? { ...draws.weighted(FAULTS), after: draws.between(0, 12), times: draws.between(1, 4) }
      : null,
    leavesSlot: draws.between(0, 1) === 0,
    isCancelled: draws.between(1, 3) === 1,
    headStart: draws.between(0, 1) === 0 ? [0, later] : [later, 0],
  };
}
