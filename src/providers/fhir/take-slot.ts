import type { BookingId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import type { SlotRef } from '../../domain/slot.ts';
import type { Known } from '../../fhir/resources.ts';
import { FhirUnavailable } from '../../fhir/unavailable.ts';
import { isAlone } from './appointments.ts';
import type { Changed, Step } from './change-slot.ts';
import { changeSlot, isVersioned } from './change-slot.ts';
import type { Clinic } from './clinic.ts';
import { bookingOf, isBusy, marked, unmarked } from './mark.ts';

export interface Taking {
  readonly bookingId: BookingId;
  readonly ref: SlotRef;
  /** `busy-tentative` holds it, `busy` books it. */
  readonly as: 'busy-tentative' | 'busy';
  /** Whether our appointment stands on it: then a busy slot that bears no mark may be busy because of that. */
  readonly hasAppointment: boolean;
  /** Once it is aborted, no mark is written any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Marks the slot as ours, unless somebody else has it. A second time changes nothing.
 * @throws FhirUnavailable at a server that lets the mark drop
 */
export async function takeSlot(
  clinic: Clinic,
  known: Known<'Slot'> | string,
  taking: Taking,
): Promise<Changed<'ours' | 'theirs'>> {
  const { bookingId } = taking;
  const look = async (slot: Known<'Slot'>): Promise<Step<'ours' | 'theirs'>> => {
    const verdict = await judge(clinic, slot, taking);
    if (verdict !== 'take') return { leave: verdict };
    return { write: marked(slot, taking.as, bookingId), then: 'ours' };
  };
  const changed = await changeSlot(clinic, known, look, taking.signal);
  if (changed.outcome !== 'settled' || changed.verdict === 'theirs') return changed;
  const { slot } = changed;
  // Only an answer to our own writing can show this.
  if (bookingOf(slot) === null && isBusy(slot) && !taking.hasAppointment) return giveBack(clinic, slot);
  if (await isVersioned(clinic, slot)) return changed;
  // Somebody's appointment may have come between our reading and our writing, and now our mark covers it.
  if (await isAlone(clinic, slot.id, bookingId)) return changed;
  await changeSlot(clinic, slot.id, async (now) =>
    bookingOf(now) === bookingId ? { write: unmarked(now, 'busy'), then: null } : { leave: null },
  );
  return { ...changed, verdict: 'theirs' };
}

async function judge(
  clinic: Clinic,
  slot: Known<'Slot'>,
  taking: Taking,
): Promise<'take' | 'ours' | 'theirs'> {
  switch (whose(slot, taking)) {
    case 'ours':
      return taking.as === 'busy-tentative' || slot.status === 'busy' ? 'ours' : 'take';
    case 'free':
      return 'take';
    case 'unmarked': {
      // Some servers keep no identifiers of slots, or make the slot busy themselves with the appointment.
      const ours = taking.hasAppointment && (await isAlone(clinic, slot.id, taking.bookingId));
      return ours ? 'ours' : 'theirs';
    }
    case 'theirs':
      return 'theirs';
  }
}

/** A slot that nobody could tell is ours would stay blocked for ever. */
async function giveBack(clinic: Clinic, slot: Known<'Slot'>): Promise<never> {
  await clinic.client.update<'Slot'>(slot, { ...slot, status: 'free' });
  throw new FhirUnavailable('PUT Slot: the server keeps no identifiers of slots, so that none can be held');
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
