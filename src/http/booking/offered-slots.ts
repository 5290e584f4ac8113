import { addDays, startOfDate } from '../../calendar/dates.ts';
import { findAlternatives, findFreeSlots, type FreeSlot } from '../../cases/free-slots.ts';
import type { ProviderId } from '../../domain/ids.ts';
import { caseTime } from '../../domain/case-state.ts';
import { type CalendarDate, instant, type Instant } from '../../domain/instant.ts';
import { isSameSlot, type Slot, type SlotRef } from '../../domain/slot.ts';
import type { CaseView } from '../../postgres/cases.ts';
import type { Dependencies } from '../dependencies.ts';
import type { OfferedRef } from './slot-tokens.ts';

/** A free time as it is offered to one case: with a signed id in place of its provider's. */
export interface SlotOffer extends Omit<FreeSlot, 'slot' | 'practitionerId'> {
  readonly slotId: string;
}

/** As the API answers it. */
export const offerJson = ({ details: { town }, ...offer }: SlotOffer) => ({ ...offer, town });

export interface DateWindow {
  /** Both included. */
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly providerId?: ProviderId | undefined;
  /** Who is not asked. */
  readonly without?: readonly ProviderId[];
  /** How long who is late is waited for (milliseconds), once somebody has answered; all are, when left out. */
  readonly patienceMs?: number;
}

/** The live free times for a case, asked of its providers now. */
export function createOfferedSlots(deps: Dependencies) {
  const { slotTokens, now } = deps;
  const offer = (view: CaseView, free: FreeSlot): SlotOffer => {
    const { slot: _ours, practitionerId: _theirs, ...shown } = free;
    return {
      ...shown,
      // signed when it is shown: of a thousand times found, a page has a few
      get slotId() {
        return slotTokens.issue(view.id, free);
      },
    };
  };

  return {
    async within(view: CaseView, { from, to, providerId, without = [], patienceMs }: DateWindow) {
      const { slots, ...answered } = await findFreeSlots(deps, view, {
        from: [startOfDate(from), caseTime(view.state, now())].sort().at(-1) as Instant,
        to: startOfDate(addDays(to, 1)),
        isAsked: (id) => (providerId === undefined || id === providerId) && !without.includes(id),
        patienceMs,
      });
      return { slots: slots.map((slot) => offer(view, slot)), ...answered };
    },

    /** The offered slot as it is now; null when it is not free any more, `away` when its provider does not answer. */
    async again(view: CaseView, ref: SlotRef): Promise<SlotOffer | 'away' | null> {
      const { slots, providers } = await findFreeSlots(deps, view, {
        from: ref.start,
        to: instant(Date.parse(ref.start) + 1),
        isAsked: (id) => id === ref.providerId,
      });
      if (providers.every(({ state }) => state === 'unavailable')) return 'away';
      const slot = slots.find((candidate) => isSameSlot(candidate, ref));
      return slot ? offer(view, slot) : null;
    },

    /**
     * Fresh ones in place of a slot that was taken: as it was (by video, or in the same town) before all, then those that
     * are `preferred`, then the nearest in time.
     */
    async alternatives(
      view: CaseView,
      taken: OfferedRef,
      preferred: (slot: Slot) => boolean = () => true,
    ): Promise<SlotOffer[]> {
      const rank = (slot: Slot) => {
        const isAlike = slot.mode === taken.mode && slot.details.town === taken.details.town;
        return (isAlike ? 0 : 2) + (preferred(slot) ? 0 : 1);
      };
      return (await findAlternatives(deps, view, taken, rank)).map((slot) => offer(view, slot));
    },
  };
}
