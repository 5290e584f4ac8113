import type { BookingId } from '../../domain/ids.ts';
import type { Known } from '../../fhir/resources.ts';
import type { ReleaseOutcome, ReleaseRequest } from '../port.ts';
import {
  appointmentsOf,
  cancel,
  isAlone,
  isLive,
  isWithdrawnByClinic,
  slotsOf,
  standsOn,
} from './appointments.ts';
import type { Clinic } from './clinic.ts';
import { bookingOf, isBusy, unmarked } from './mark.ts';
import { changeSlot, type Step } from './take-slot.ts';

const ATTEMPTS = 2;

/** Takes the booking back and reads back what is left of it, since an accepted cancellation is no proof; then once more. */
export async function release(clinic: Clinic, request: ReleaseRequest): Promise<ReleaseOutcome> {
  const { bookingId, slot } = request;
  const freed: FreedSlots = new Map();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (!(await withdraw(clinic, request, freed))) return 'not_free';
    const slotIds = new Set([slot.slot, ...freed.keys()]);
    const [appointments, ...areFree] = await Promise.all([
      appointmentsOf(clinic, bookingId),
      ...[...slotIds].map((id) => isFreeOfUs(clinic, id, bookingId, freed.get(id))),
    ]);
    if (!appointments.some(isLive) && !areFree.includes(false)) return 'released';
  }
  return 'not_free';
}

/**
 * A slot that is gone, or that bears no mark of ours, is somebody else's business, unless it is still busy just as we
 * left it.
 * @param freed as our own change left it, if there was one
 */
async function isFreeOfUs(
  clinic: Clinic,
  id: string,
  bookingId: BookingId,
  freed: Known<'Slot'> | undefined,
): Promise<boolean> {
  const read = await clinic.client.read('Slot', id);
  if (read.outcome !== 'found') return true;
  const slot = read.resource;
  const mark = bookingOf(slot);
  if (mark !== null) return mark !== bookingId;
  const isAsWeLeftIt = freed !== undefined && slot.meta?.versionId === freed.meta?.versionId;
  if (!isBusy(slot) || !isAsWeLeftIt) return true;
  return !(await isAlone(clinic, { ...slot, slot: id }, bookingId));
}

/** Slots that were let go, by id, as they then were. */
type FreedSlots = Map<string, Known<'Slot'>>;

/**
 * Cancels every live appointment of the booking, then frees its slots, in this order: a slot that is free while its
 * appointment lives is booked twice. The slots are the one that was asked for, and those that the clinic moved it to.
 * @param freed what an attempt just now let go of; what is let go now is added
 * @returns false when the server refuses
 */
export async function withdraw(
  clinic: Clinic,
  { bookingId, slot: ref, cancelledBy }: ReleaseRequest,
  freed: FreedSlots = new Map(),
): Promise<boolean> {
  const [appointments, isFirstAlone] = await Promise.all([
    appointmentsOf(clinic, bookingId),
    isAlone(clinic, ref, bookingId),
  ]);
  const live = appointments.filter(isLive);
  const alone = new Map([[ref.slot, isFirstAlone]]);
  for (const appointment of live)
    for (const slot of slotsOf(appointment))
      if (!alone.has(slot)) alone.set(slot, await isAlone(clinic, { ...appointment, slot }, bookingId));
  const cancelled = await Promise.all(live.map((appointment) => cancel(clinic, appointment, cancelledBy)));
  if (cancelled.includes(false)) return false;

  for (const [id, isOnlyOurs] of alone) {
    // Without our mark only the cancellation just now proves that the slot was busy because of us.
    const wasOnSlot = live.some((appointment) => standsOn(appointment, id));
    const isBusyByUs = (slot: Known<'Slot'>) => wasOnSlot || isSameVersion(freed.get(id), slot);
    const isCalledOff =
      appointments.some((one) => isWithdrawnByClinic(one) && standsOn(one, id)) ||
      (appointments.length === 0 && cancelledBy === 'provider');
    const outcome = await freeSlot(clinic, id, { bookingId, isOnlyOurs, isBusyByUs, isCalledOff });
    if (outcome.outcome === 'refused') return false;
    if (outcome.outcome === 'settled' && outcome.verdict === 'freed') freed.set(id, outcome.slot);
  }
  return true;
}

const isSameVersion = (before: Known<'Slot'> | undefined, now: Known<'Slot'>): boolean =>
  before?.meta?.versionId !== undefined && before.meta.versionId === now.meta?.versionId;

interface Freeing {
  readonly bookingId: BookingId;
  readonly isOnlyOurs: boolean;
  /** Of a busy slot without a mark. */
  readonly isBusyByUs: (slot: Known<'Slot'>) => boolean;
  /** By the clinic itself: then its practitioner is away, and only the clinic knows until when. */
  readonly isCalledOff: boolean;
}

async function freeSlot(clinic: Clinic, slotId: string, freeing: Freeing) {
  const { bookingId, isOnlyOurs, isBusyByUs } = freeing;
  let writes = 0;
  const read = () => clinic.client.read('Slot', slotId);
  return changeSlot(clinic, { known: null, read }, (slot): Step<'freed' | 'not_ours'> => {
    const isMarked = bookingOf(slot) === bookingId;
    const isOurs = isMarked || (isOnlyOurs && isBusyUnmarked(slot) && isBusyByUs(slot) && writes === 0);
    // What does not take effect twice will not the third time: reading back says so.
    if (!isOurs || writes === 2) return { leave: writes > 0 ? 'freed' : 'not_ours' };
    writes += 1;
    return { write: unmarked(slot, statusWithoutUs(slot, freeing)), then: 'freed' };
  });
}

const isBusyUnmarked = (slot: Known<'Slot'>): boolean => bookingOf(slot) === null && isBusy(slot);

function statusWithoutUs(slot: Known<'Slot'>, { isOnlyOurs, isCalledOff }: Freeing): Known<'Slot'>['status'] {
  if (!isOnlyOurs) return 'busy';
  if (!isBusy(slot)) return slot.status;
  return isCalledOff ? 'busy-unavailable' : 'free';
}
