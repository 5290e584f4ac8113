import { caseTime } from '../domain/case-state.ts';
import type { ProviderId } from '../domain/ids.ts';
import { instant, type Instant } from '../domain/instant.ts';
import { AVAILABILITY_DAYS } from '../domain/limits.ts';
import type { Slot, SlotRef } from '../domain/slot.ts';
import type { CaseView } from '../postgres/cases.ts';
import type { TreatmentType } from '../postgres/providers.ts';
import type { Availability, AvailabilityQuery, ProviderAvailability } from '../providers/availability.ts';

/** The live free slots of a case's treatment, as customers and operators are shown them. */

export interface FreeSlotDeps {
  readonly treatmentTypes: () => Promise<readonly TreatmentType[]>;
  readonly availability: (query: AvailabilityQuery) => Promise<Availability>;
  readonly now: () => Date;
}

export interface FreeSlot extends Slot {
  readonly providerName: string;
}

/** `providers`: who was asked, and whether they answered; empty when none offers the treatment. */
export interface FreeSlots {
  readonly slots: readonly FreeSlot[];
  readonly providers: ProviderAvailability[];
  readonly awaited: Availability['awaited'];
}

export interface SlotWindow {
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  /** Who is asked; all when left out. */
  readonly isAsked?: (provider: ProviderId) => boolean;
  /** How long who is late is waited for (milliseconds), once somebody has answered. */
  readonly patienceMs?: number | undefined;
}

/** Asks the providers now. */
export async function findFreeSlots(
  { treatmentTypes, availability }: FreeSlotDeps,
  view: CaseView,
  { from, to, isAsked = () => true, patienceMs }: SlotWindow,
): Promise<FreeSlots> {
  const type = (await treatmentTypes()).find(({ code }) => code === view.treatment_type);
  const { slots, providers, awaited } = await availability({
    treatmentType: view.treatment_type,
    ...{ from, to, patienceMs },
    providers: (type?.providers ?? []).filter(({ id }) => isAsked(id)),
    minimumMinutes: type?.minimum_minutes ?? null,
  });
  const nameOf = (id: ProviderId) => providers.find((provider) => provider.id === id)?.name ?? id;
  return {
    slots: slots.map((slot) => ({ ...slot, providerName: nameOf(slot.providerId) })),
    providers,
    awaited,
  };
}

const ALTERNATIVES = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Up to three in place of a slot that was taken, the nearest in time first; those of a higher `rank`, in which others are
 * less like it, only to make three.
 */
export async function findAlternatives(
  deps: FreeSlotDeps,
  view: CaseView,
  taken: Pick<SlotRef, 'start'> & Partial<SlotRef>,
  rank: (slot: Slot) => number = () => 0,
): Promise<FreeSlot[]> {
  const wanted = Date.parse(taken.start);
  const now = Date.parse(caseTime(view.state, deps.now()));
  const { slots } = await findFreeSlots(deps, view, {
    from: instant(Math.max(now, wanted - 7 * DAY_MS)),
    to: instant(Math.max(now, wanted) + AVAILABILITY_DAYS * DAY_MS),
  });
  const distance = ({ start }: Slot) => Math.abs(Date.parse(start) - wanted);
  return slots
    .filter(({ providerId, slot }) => providerId !== taken.providerId || slot !== taken.slot)
    .toSorted((a, b) => rank(a) - rank(b) || distance(a) - distance(b))
    .slice(0, ALTERNATIVES);
}
