import fc from 'fast-check';

/** What anybody does to a case, a number standing for one of the clinic's slots. The last slot is somebody else's. */
export type Deed =
  | { readonly type: 'confirm'; readonly slot: number }
  | {
      readonly type: 'cancel' | 'recall' | 'archive' | 'resolve' | 'ask' | 'clinicCancels' | 'lose' | 'mend';
    };

/** A case as the contract's table has it, without any of the code that decides. */
export interface Model {
  readonly status:
    | 'pending_patient_action'
    | 'assistance_requested'
    | 'booked'
    | 'deadline_expired'
    | 'recalled'
    | 'archived';
  readonly slot: number | null;
  readonly help: 'never asked for' | 'open' | 'settled';
  /** The customer cancelled, and has booked nothing since. */
  readonly hasCancelled: boolean;
  readonly isLastDayOver: boolean;
}

export const BEGINNING: Model = {
  status: 'pending_patient_action',
  slot: null,
  help: 'never asked for',
  hasCancelled: false,
  isLastDayOver: false,
};

export const SLOTS = 3;
/** The one that somebody else has. */
const TAKEN = SLOTS;

type Answer = 'granted' | 'ACTION_NOT_ALLOWED' | 'SLOT_TAKEN';

/** What the case is to be after `deed`, and what whoever did it is to be told. */
function after(model: Model, deed: Deed): { readonly model: Model; readonly answer: Answer } {
  const is = (...statuses: Model['status'][]) => statuses.includes(model.status);
  const granted = (changes: Partial<Model> = {}) => ({
    model: { ...model, ...changes },
    answer: 'granted' as const,
  });
  const refused = { model, answer: 'ACTION_NOT_ALLOWED' as const };
  const settled = model.help === 'open' ? { help: 'settled' as const } : {};
  const open = model.isLastDayOver ? 'deadline_expired' : 'pending_patient_action';
  switch (deed.type) {
    case 'confirm':
      if (!is('pending_patient_action', 'assistance_requested', 'booked')) return refused;
      if (deed.slot === TAKEN) return { model, answer: 'SLOT_TAKEN' };
      return granted({
        status: 'booked',
        slot: deed.slot,
        hasCancelled: false,
        ...(is('booked') ? {} : settled),
      });
    case 'cancel':
      if (is('booked')) return granted({ status: open, slot: null, hasCancelled: true });
      return model.hasCancelled && !is('recalled', 'archived') ? granted() : refused;
    case 'recall':
      if (is('archived')) return refused;
      return granted({ status: 'recalled', slot: null });
    case 'archive':
      if (!is('recalled', 'deadline_expired', 'archived')) return refused;
      return granted({ status: 'archived' });
    case 'ask':
      if (is('recalled', 'archived')) return refused;
      return granted({
        help: 'open',
        ...(is('pending_patient_action') ? { status: 'assistance_requested' as const } : {}),
      });
    case 'resolve':
      if (model.help === 'never asked for' || is('recalled', 'archived')) return refused;
      return granted({
        help: 'settled',
        ...(is('assistance_requested') ? { status: 'pending_patient_action' as const } : {}),
      });
    case 'clinicCancels':
      if (!is('booked')) return granted();
      // Whom the clinic let down gets three days more, and is no one who cancelled.
      return granted({ status: 'pending_patient_action', slot: null, isLastDayOver: false });
    case 'lose':
    case 'mend':
      return granted();
  }
}

/** What comes of several deeds in this order; answers stand where their deeds stand. */
export function inOrder(before: Model, deeds: readonly Deed[], order: readonly number[]) {
  const answers: Answer[] = [];
  let model = before;
  for (const i of order) {
    const next = after(model, deeds[i] as Deed);
    answers[i] = next.answer;
    model = next.model;
  }
  return { model, answers };
}

/** The last day passes. */
export const atMidnight = (model: Model): Model => ({
  ...model,
  isLastDayOver: true,
  ...(['pending_patient_action', 'assistance_requested'].includes(model.status)
    ? { status: 'deadline_expired' as const }
    : {}),
});

const confirms = fc.record({ type: fc.constant('confirm' as const), slot: fc.nat({ max: TAKEN }) });
const deeds: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: confirms },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom('cancel', 'ask', 'resolve', 'clinicCancels', 'lose', 'mend'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('recall', 'archive') }) },
);
/** Who acts on a case is answered, so only these can be done by two at the same moment. */
const asked: fc.Arbitrary<Deed> = fc.oneof(
  confirms,
  fc.record({ type: fc.constantFrom('cancel', 'recall', 'archive', 'resolve') }),
);

/** One deed, or two at the same moment. */
export type Step = readonly [Deed] | readonly [Deed, Deed];
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(deeds) },
  { weight: 1, arbitrary: fc.tuple(asked, asked) },
);

/** What happens to a case before its last day is over, and what after. */
export interface Life {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
}
export const lives: fc.Arbitrary<Life> = fc.record({
  before: fc.array(steps, { minLength: 1, maxLength: 6 }),
  after: fc.array(steps, { maxLength: 3 }),
});
