import type { Slot, SlotRef } from '../domain/slot.ts';

/** Whose time, and when; of us, whatever its provider's system says by now. */
export type TakenHour = Omit<SlotRef, 'slot'>;

/** The slots that overlap no hour which one of our own cases has. */
export function unclaimed(slots: readonly Slot[], taken: readonly TakenHour[]): Slot[] {
  if (taken.length === 0) return [...slots];
  const hours = new Map<string, TakenHour[]>();
  for (const hour of taken) {
    const known = hours.get(keyOf(hour));
    if (known) known.push(hour);
    else hours.set(keyOf(hour), [hour]);
  }
  return slots.filter(
    (slot) => !hours.get(keyOf(slot))?.some((hour) => hour.start < slot.end && slot.start < hour.end),
  );
}

const keyOf = ({ providerId, practitionerId }: TakenHour): string => `${providerId} ${practitionerId}`;
