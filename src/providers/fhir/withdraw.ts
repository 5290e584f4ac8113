import type { BookingId } from '../../domain/ids.ts';
import type { Known } from '../../fhir/resources.ts';
import type { CancelledBy } from './appointments.ts';
import { appointmentsOf, cancel, isAlone, isLive, slotsOf, standsOn } from './appointments.ts';
import type { Step } from './change-slot.ts';
import { changeSlot } from './change-slot.ts';
import type { Clinic } from './clinic.ts';
import { bookingOf, isBusy, unmarked } from './mark.ts';

export interface Withdrawal {
  readonly bookingId: BookingId;
  readonly slotId: string;
  readonly by: CancelledBy;
  /** What an attempt just now let go of, as it then was. */
  readonly freedBefore?: readonly Known<'Slot'>[];
}

export type Withdrawn =
  | { readonly accepted: false }
  | {
      readonly accepted: true;
      /** The slots that were let go, as they then were. */
      readonly freed: readonly Known<'Slot'>[];
    };

/**
 * Cancels every live appointment of the booking, then frees its slots, in this order: a slot that is free while its
 * appointment lives is booked twice. The slots are the one that was asked for, and those that the clinic moved it to.
 */
export async function withdraw(clinic: Clinic, withdrawal: Withdrawal): Promise<Withdrawn> {
  const { bookingId, slotId, by, freedBefore = [] } = withdrawal;
  const [appointments, isFirstAlone] = await Promise.all([
    appointmentsOf(clinic, bookingId),
    isAlone(clinic, slotId, bookingId),
  ]);
  const live = appointments.filter(isLive);
  const alone = new Map([[slotId, isFirstAlone]]);
  for (const id of live.flatMap(slotsOf)) {
    if (!alone.has(id)) alone.set(id, await isAlone(clinic, id, bookingId));
  }
  const cancelled = await Promise.all(live.map((appointment) => cancel(clinic, appointment, by)));
  if (cancelled.includes(false)) return { accepted: false };

  const freed: Known<'Slot'>[] = [];
  for (const [id, isOnlyOurs] of alone) {
    // Without our mark only the cancellation just now proves that the slot was busy because of us.
    const wasOnSlot = live.some((appointment) => standsOn(appointment, id));
    const isBusyByUs = (slot: Known<'Slot'>) => wasOnSlot || freedBefore.some((before) => isAs(before, slot));
    const outcome = await free(clinic, id, { bookingId, isOnlyOurs, isBusyByUs });
    if (outcome.outcome === 'refused') return { accepted: false };
    if (outcome.outcome === 'settled' && outcome.verdict === 'freed') freed.push(outcome.slot);
  }
  return { accepted: true, freed };
}

const isAs = (one: Known<'Slot'>, other: Known<'Slot'>): boolean =>
  one.id === other.id && one.meta?.versionId !== undefined && one.meta.versionId === other.meta?.versionId;

interface Freeing {
  readonly bookingId: BookingId;
  readonly isOnlyOurs: boolean;
  /** Of a busy slot without a mark. */
  readonly isBusyByUs: (slot: Known<'Slot'>) => boolean;
}

async function free(clinic: Clinic, slotId: string, { bookingId, isOnlyOurs, isBusyByUs }: Freeing) {
  let writes = 0;
  return changeSlot(clinic, slotId, async (slot): Promise<Step<'freed' | 'not_ours'>> => {
    const isMarked = bookingOf(slot) === bookingId;
    const isOurs = isMarked || (isOnlyOurs && isBusyUnmarked(slot) && isBusyByUs(slot) && writes === 0);
    // What does not take effect twice will not the third time: reading back says so.
    if (!isOurs || writes === 2) return { leave: writes > 0 ? 'freed' : 'not_ours' };
    writes += 1;
    return { write: unmarked(slot, statusWithoutUs(slot, isOnlyOurs)), then: 'freed' };
  });
}

const isBusyUnmarked = (slot: Known<'Slot'>): boolean => bookingOf(slot) === null && isBusy(slot);

function statusWithoutUs(slot: Known<'Slot'>, alone: boolean): Known<'Slot'>['status'] {
  if (!alone) return 'busy';
  return isBusy(slot) ? 'free' : slot.status;
}
