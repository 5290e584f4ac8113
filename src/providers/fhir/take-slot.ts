import type { BookingId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import type { SlotRef } from '../../domain/slot.ts';
import type { Known } from '../../fhir/resources.ts';
import { isAlone } from './appointments.ts';
import type { Changed, Step } from './change-slot.ts';
import { changeSlot, isVersioned } from './change-slot.ts';
import type { Clinic } from './clinic.ts';
import { bookingOf, marked, unmarked } from './mark.ts';

export interface Taking {
  readonly bookingId: BookingId;
  readonly ref: SlotRef;
  /** `busy-tentative` holds it, `busy` books it. */
  readonly as: 'busy-tentative' | 'busy';
  /** Whether our appointment stands on it: then a busy slot that bears no mark may be busy because of that. */
  readonly hasAppointment: boolean;
}

/** Marks the slot as ours, unless somebody else has it. A second time changes nothing. */
export async function takeSlot(
  clinic: Clinic,
  known: Known<'Slot'> | string,
  taking: Taking,
): Promise<Changed<'ours' | 'theirs'>> {
  const changed = await changeSlot(clinic, known, (slot) => judge(clinic, slot, taking));
  if (changed.outcome !== 'settled' || changed.verdict === 'theirs') return changed;
  if (await isVersioned(clinic, changed.slot)) return changed;
  // Somebody's appointment may have come between our reading and our writing, and now our mark covers it.
  if (await isAlone(clinic, changed.slot.id, taking.bookingId)) return changed;
  await changeSlot(clinic, changed.slot.id, async (slot) =>
    bookingOf(slot) === taking.bookingId
      ? { write: unmarked(slot, 'busy'), then: 'theirs' }
      : { leave: 'theirs' },
  );
  return { ...changed, verdict: 'theirs' };
}

async function judge(clinic: Clinic, slot: Known<'Slot'>, taking: Taking): Promise<Step<'ours' | 'theirs'>> {
  switch (whose(slot, taking)) {
    case 'ours':
      if (taking.as === 'busy-tentative' || slot.status === 'busy') return { leave: 'ours' };
      return { write: marked(slot, taking.as, taking.bookingId), then: 'ours' };
    case 'free':
      return { write: marked(slot, taking.as, taking.bookingId), then: 'ours' };
    case 'unmarked': {
      // Some servers keep no identifiers of slots, or make the slot busy themselves with the appointment.
      const ours = taking.hasAppointment && (await isAlone(clinic, slot.id, taking.bookingId));
      return { leave: ours ? 'ours' : 'theirs' };
    }
    case 'theirs':
      return { leave: 'theirs' };
  }
}

export function whose(
  slot: Known<'Slot'>,
  { bookingId, ref }: Pick<Taking, 'bookingId' | 'ref'>,
): 'ours' | 'free' | 'unmarked' | 'theirs' {
  // Moved by the clinic: no longer the time that the customer chose.
  if (instant(slot.start) !== ref.start || instant(slot.end) !== ref.end) return 'theirs';
  const mark = bookingOf(slot);
  if (mark !== null && mark !== bookingId) return 'theirs';
  if (slot.status === 'free') return 'free';
  if (slot.status !== 'busy' && slot.status !== 'busy-tentative') return 'theirs';
  return mark === null ? 'unmarked' : 'ours';
}
