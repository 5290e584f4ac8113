/** What one of the sandbox's FHIR servers can do: real ones differ in all of this. */
export interface Abilities {
  /** Null: it does not describe itself at all. */
  readonly statement: 'detailed' | 'brief' | null;
  /** What it makes of `_include`, `Slot?service-type` and `Appointment?slot`: answers, ignores it, or refuses to search. */
  readonly include: Heed;
  readonly serviceType: Heed;
  readonly slot: Heed;
  /** Whether a comma in a search means "or"; if not, nothing is found. */
  readonly lists: boolean;
  /** Whether it heeds `If-None-Exist`. */
  readonly conditionalCreate: boolean;
  /** Whether resources have versions, and `If-Match` is heeded. */
  readonly versions: boolean;
  /** How a resource is changed. */
  readonly update: 'PUT' | 'PATCH';
  readonly transaction: boolean;
}
type Heed = 'answers' | 'ignores' | 'refuses';

const FULL: Abilities = {
  statement: 'detailed',
  include: 'answers',
  serviceType: 'answers',
  slot: 'answers',
  lists: true,
  conditionalCreate: true,
  versions: true,
  update: 'PUT',
  transaction: true,
};
const PLAIN: Abilities = {
  statement: 'brief',
  include: 'ignores',
  serviceType: 'ignores',
  slot: 'ignores',
  lists: false,
  conditionalCreate: false,
  versions: false,
  update: 'PUT',
  transaction: false,
};

export const ABILITIES = {
  full: FULL,
  /** All but transactions. */
  stepwise: { ...FULL, transaction: false },
  /** The least that can be booked with. */
  plain: PLAIN,
  /** The same, and says nothing about itself. */
  silent: { ...PLAIN, statement: null },
  /** Refuses what it doesn't do, and takes patches only. */
  picky: {
    ...FULL,
    include: 'refuses',
    serviceType: 'refuses',
    slot: 'refuses',
    update: 'PATCH',
    transaction: false,
  },
  /** Takes patches only, and keeps no versions. */
  patchwork: { ...PLAIN, update: 'PATCH' },
} as const satisfies Record<string, Abilities>;

export type FhirKind = keyof typeof ABILITIES;
