import { addDays, dateAt, startOfDate } from '../../calendar/dates.ts';
import type { ProviderId } from '../../domain/ids.ts';
import { type CalendarDate, instant, type Instant } from '../../domain/instant.ts';
import { AVAILABILITY_DAYS } from '../../domain/limits.ts';
import { isSameSlot, type Slot, type SlotRef } from '../../domain/slot.ts';
import type { CaseView } from '../../postgres/cases.ts';
import type { ProviderAvailability } from '../../providers/availability.ts';
import type { Dependencies } from '../dependencies.ts';

/** A free time as it is offered to one case: with a signed id, and its provider's name. */
export interface SlotOffer extends Omit<Slot, 'slot' | 'practitionerId'> {
  readonly slotId: string;
  readonly providerName: string;
}

const ALTERNATIVES = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface SlotWindow {
  /** Both included. */
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly providerId?: ProviderId | undefined;
  /** Who is not asked. */
  readonly without?: readonly ProviderId[];
}

/** The live free times for a case, asked of its providers now. */
export function createOfferedSlots({ treatmentTypes, availability, slotTokens, now }: Dependencies) {
  const look = async (
    view: CaseView,
    from: Instant,
    to: Instant,
    isAsked: (provider: ProviderId) => boolean = () => true,
  ) => {
    const type = (await treatmentTypes()).find(({ code }) => code === view.treatment_type);
    const providers = (type?.providers ?? []).filter(({ id }) => isAsked(id));
    const minimumMinutes = type?.minimum_minutes ?? null;
    return availability({ treatmentType: view.treatment_type, from, to, providers, minimumMinutes });
  };
  const offer = (view: CaseView, providers: readonly ProviderAvailability[], slot: Slot): SlotOffer => {
    const { practitioner, location, mode, start, end, providerId } = slot;
    const providerName = providers.find(({ id }) => id === providerId)?.name ?? providerId;
    return {
      slotId: slotTokens.issue(view.id, slot),
      providerId,
      providerName,
      practitioner,
      location,
      mode,
      start,
      end,
    };
  };

  return {
    async within(view: CaseView, { from, to, providerId, without = [] }: SlotWindow) {
      const isAsked = (id: ProviderId) =>
        (providerId === undefined || id === providerId) && !without.includes(id);
      const begin = [startOfDate(from), instant(now())].sort().at(-1) as Instant;
      const found = await look(view, begin, startOfDate(addDays(to, 1)), isAsked);
      return {
        slots: found.slots.map((slot) => offer(view, found.providers, slot)),
        providers: found.providers,
      };
    },

    /** The offered slot as it is now; null when it is not free any more, `away` when its provider does not answer. */
    async again(view: CaseView, ref: SlotRef): Promise<SlotOffer | 'away' | null> {
      const isIts = (id: ProviderId) => id === ref.providerId;
      const found = await look(view, ref.start, instant(Date.parse(ref.start) + 1), isIts);
      if (found.providers.every(({ state }) => state === 'unavailable')) return 'away';
      const slot = found.slots.find((candidate) => isSameSlot(candidate, ref));
      return slot ? offer(view, found.providers, slot) : null;
    },

    /** Fresh ones in place of a slot that was taken, the nearest in time first; others than `preferred` only to make three. */
    async alternatives(
      view: CaseView,
      ref: SlotRef,
      preferred: (slot: Slot) => boolean = () => true,
    ): Promise<SlotOffer[]> {
      const wanted = Date.parse(ref.start);
      const today = startOfDate(dateAt(now()));
      const from = [instant(wanted - 7 * DAY_MS), today, instant(now())].sort().at(-1) as Instant;
      const found = await look(view, from, instant(wanted + AVAILABILITY_DAYS * DAY_MS));
      const nearest = found.slots
        .filter((slot) => !isSameSlot(slot, ref))
        .sort((a, b) => Math.abs(Date.parse(a.start) - wanted) - Math.abs(Date.parse(b.start) - wanted));
      return [...nearest.filter(preferred), ...nearest.filter((slot) => !preferred(slot))]
        .slice(0, ALTERNATIVES)
        .map((slot) => offer(view, found.providers, slot));
    },
  };
}
