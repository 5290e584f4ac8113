import { type Draws, drawsOf } from './plan/draws.ts';
import { type Party, planParties } from './plan/parties.ts';

export interface RunOptions {
  readonly seed: number;
  readonly cases: number;
  readonly kills: number;
  /** How long cases arrive and faults happen. What comes after is as long as it takes, within bounds. */
  readonly minutes: number;
}

export interface Plan extends RunOptions {
  /** Milliseconds. */
  readonly length: number;
  readonly parties: readonly Party[];
  readonly faults: readonly PlannedFault[];
}

/** A story takes up to so long after its case was opened, when all goes well (milliseconds). */
const LAST_STORY = 5_000;

/** Who does what when, and what goes wrong when: the same for the same options. */
export function planOf(options: RunOptions): Plan {
  const length = Math.round(options.minutes * 60_000);
  // drawn apart, so that another number of kills leaves the cases as they were
  const parties = planParties(
    drawsOf(options.seed),
    options.cases,
    Math.max(length - LAST_STORY, length / 2),
  );
  const faults = planFaults(drawsOf(~options.seed), options.kills, length);
  return { ...options, length, parties, faults };
}

const PROCESSES = ['worker', 'API', 'Temporal', 'PostgreSQL'] as const;
export type ProcessName = (typeof PROCESSES)[number];

const CLINICS = ['fjordklinikken', 'nordlys'] as const;

/** Wires on which our own processes reach servers; and `API`, on which partners reach us. */
const WIRES = ['postgresql', 'temporal', ...CLINICS, 'mail', 'phone', 'API'] as const;
export type WireName = (typeof WIRES)[number];

export type WireTrouble = 'cut' | 'half-open' | 'slow' | 'answers lost' | 'busy';
export type ClinicTrouble =
  '503' | '429' | 'drops' | 'drops after the commit' | 'slow' | 'conditions ignored';

export type Fault =
  /** Without any warning: SIGKILL. */
  | { readonly kind: 'kill'; readonly of: ProcessName }
  /** As an upgrade does it: SIGTERM. */
  | { readonly kind: 'restart'; readonly of: ProcessName }
  /** It holds still, connections and all, and then goes on as if nothing had been: SIGSTOP, SIGCONT. */
  | { readonly kind: 'freeze'; readonly of: 'worker' | 'Temporal' }
  | { readonly kind: 'read-only'; readonly of: 'PostgreSQL' }
  | { readonly kind: 'no connection left'; readonly of: 'PostgreSQL' }
  | { readonly kind: 'wire'; readonly of: WireName; readonly how: WireTrouble }
  | { readonly kind: 'clinic'; readonly of: (typeof CLINICS)[number]; readonly how: ClinicTrouble };

export type PlannedFault = Fault & {
  /** Since the run's begin (milliseconds); later where what it is done to has not come back from the one before. */
  readonly at: number;
  /** Milliseconds; 0 for what comes back by itself. */
  readonly lasts: number;
};

const TROUBLES: readonly (readonly [weight: number, fault: (draws: Draws) => Fault])[] = [
  [2, (draws) => ({ kind: 'restart', of: draws.oneOf(PROCESSES) })],
  [3, (draws) => ({ kind: 'freeze', of: draws.oneOf(['worker', 'Temporal'] as const) })],
  [3, () => ({ kind: 'read-only', of: 'PostgreSQL' })],
  [2, () => ({ kind: 'no connection left', of: 'PostgreSQL' })],
  [10, planWire],
  [
    8,
    (draws) => ({
      kind: 'clinic',
      of: draws.oneOf(CLINICS),
      how: draws.oneOf([
        '503',
        '429',
        'drops',
        'drops after the commit',
        'drops after the commit',
        'slow',
        'conditions ignored',
      ] as const),
    }),
  ],
];

function planWire(draws: Draws): Fault {
  const of = draws.oneOf(WIRES);
  const hows: WireTrouble[] = ['cut', 'half-open', 'slow', 'answers lost'];
  // what these say when they are too busy is a line of text
  const isBusyAtTimes = of === 'mail' || of === 'phone' || of === 'fjordklinikken' || of === 'nordlys';
  return { kind: 'wire', of, how: draws.oneOf(isBusyAtTimes ? [...hows, 'busy'] : hows) };
}

/** So many kills, of each process as often as of the others, and about as many other troubles, within `until` (milliseconds). */
function planFaults(draws: Draws, kills: number, until: number): PlannedFault[] {
  const longest = Math.min(8_000, Math.max(1_500, until / 8));
  const rounds = Array.from({ length: Math.ceil(kills / PROCESSES.length) }, () =>
    shuffled(draws, PROCESSES),
  );
  const killed = rounds.flat().slice(0, kills);
  const momentOf = (i: number, of: number) =>
    Math.round((until * i) / of) + draws.between(0, Math.round(until / of));
  const planned = [
    ...killed.map((of, i) => ({ kind: 'kill', of, at: momentOf(i, kills), lasts: 0 }) as const),
    ...Array.from({ length: kills }, (_, i): PlannedFault => {
      const fault = draws.weighted(TROUBLES)(draws);
      const lasts = fault.kind === 'restart' ? 0 : draws.between(500, longest);
      return { ...fault, at: momentOf(i, kills), lasts };
    }),
  ];
  return planned.sort((one, other) => one.at - other.at);
}

function shuffled<T>(draws: Draws, these: readonly T[]): T[] {
  const left = [...these];
  return these.map(() => left.splice(draws.between(0, left.length - 1), 1)[0] as T);
}

export function nameOf(fault: Fault): string {
  if (fault.kind === 'wire') return `wire to ${fault.of}: ${fault.how}`;
  if (fault.kind === 'clinic') return `${fault.of}: ${fault.how}`;
  return `${fault.kind}: ${fault.of}`;
}
