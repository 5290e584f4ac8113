import { expect } from '@jest/globals';
import { addDays, dateAt, deadlineOn } from '../../../src/calendar/dates.ts';
import { bookingIdOf, bookingOf, type CaseState } from '../../../src/domain/case-state.ts';
import { daysAfter, instant } from '../../../src/domain/instant.ts';
import type { SlotRef } from '../../../src/domain/slot.ts';
import { clinicCancelled, moveDeadline } from '../../../workflows/contract.ts';
import type { MetCase, Verdict } from './case.ts';
import { atMidnight, BEGINNING, type Deed, inOrder, type Model, SLOTS, type Step } from './model.ts';
import type { World } from './world.ts';

export interface BegunLife {
  readonly theCase: MetCase;
  /** Goes through the steps, and holds what everybody is told against the model. */
  run(steps: readonly Step[]): Promise<void>;
  /** Lets the last day pass within a second, where it matters. */
  passLastDay(): Promise<void>;
  /** The clinic works again, whatever was wrong with it. */
  mend(): void;
  /** Resolves once the case is at rest, with one appointment at the clinic where it is booked and nothing where not. */
  settle(): Promise<void>;
}

export async function beginLife(world: World): Promise<BegunLife> {
  const clinic = world.openClinic();
  const start = daysAfter(await world.now(), 40);
  const slots = Array.from({ length: SLOTS + 1 }, (_, i) => clinic.offer(daysAfter(start, i)));
  clinic.giveAway(slots.at(-1) as SlotRef);
  const theCase = await world.openCase({ days: 14 });
  let model: Model = BEGINNING;

  const ask: Partial<Record<Deed['type'], (slot: SlotRef) => Promise<Verdict>>> = {
    confirm: (slot) => theCase.confirm(slot),
    cancel: () => theCase.cancel(),
    recall: () => theCase.recall(),
    archive: () => theCase.archive(),
    resolve: () => theCase.resolveAssistance(),
  };
  const befall: Partial<Record<Deed['type'], () => unknown>> = {
    lose: () => (clinic.trouble.book = 'answer_lost'),
    mend: () => (clinic.trouble.book = undefined),
    ask: () => theCase.requestAssistance(),
    async clinicCancels() {
      const bookingId = bookingIdOf(theCase.shown());
      if (bookingId === null) return;
      const grace = deadlineOn(addDays(dateAt(new Date(await world.now())), 3));
      clinic.cancel(bookingId);
      await theCase.handle.signal(clinicCancelled, { bookingId, grace });
    },
  };

  const answerTo = async (deed: Deed): Promise<string> => {
    const told = await ask[deed.type]?.(slots[deed.type === 'confirm' ? deed.slot : 0] as SlotRef);
    await befall[deed.type]?.();
    return told && 'refused' in told ? told.refused.code : 'granted';
  };

  /** Whoever is granted something sees it at once; of two times confirmed at once either may have come last. */
  const isShown = ({ status, slot }: Model) => {
    const shown = theCase.shown();
    const booked = bookingOf(shown)?.slot ?? null;
    return shown.status === status && booked === (slot === null ? null : slots[slot]?.slot);
  };
  const step = async (deeds: Step): Promise<void> => {
    // the workflow of an archived case has ended: there is nobody to ask
    if (model.status === 'archived') return;
    const answers = await Promise.all(deeds.map(answerTo));
    const possible = (
      deeds.length === 1
        ? [[0]]
        : [
            [0, 1],
            [1, 0],
          ]
    ).map((order) => inOrder(model, deeds, order));
    const isAnswered = deeds.every(({ type }) => ask[type]);
    const found = possible.find(
      (one) => !isAnswered || (one.answers.join() === answers.join() && isShown(one.model)),
    );
    const expected = possible.map((one) => `${one.answers.join()}: ${one.model.status}`).join(' or ');
    expect(found ? expected : `${answers.join()}: ${theCase.shown().status}`).toBe(expected);
    model = found?.model ?? model;
    await theCase.untilStatus(model.status);
  };

  return {
    theCase,
    async run(steps) {
      for (const each of steps) await step(each);
    },
    async passLastDay() {
      // Of whoever has booked it is not moved, and is weeks away.
      if (!['pending_patient_action', 'assistance_requested'].includes(model.status)) return;
      const passesAt = instant(Date.parse(await world.now()) + 1_000);
      const deadline = { date: addDays(dateAt(new Date(passesAt)), 1), passesAt, reminders: [] };
      const told = await theCase.ask(moveDeadline, { deadline }, { actor: 'partner' });
      expect(told).toMatchObject({ status: model.status });
      model = atMidnight(model);
      await theCase.untilStatus(model.status);
    },
    mend: () => (clinic.trouble.book = undefined),
    async settle() {
      const isSettled = ({ bookings }: CaseState) =>
        bookings.length === (model.slot === null ? 0 : 1) &&
        bookings.every(({ transferredAt }) => transferredAt !== null);
      await theCase.until(isSettled);
      expect(theCase.shown().status).toBe(model.status);
      const wanted = model.slot === null ? [] : [slots[model.slot]?.slot];
      expect(clinic.live().map(({ slot }) => slot)).toEqual(wanted);
      expect(clinic.marked()).toEqual(wanted);
    },
  };
}
