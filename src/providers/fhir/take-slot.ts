import type { BookingId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import type { SlotRef } from '../../domain/slot.ts';
import type { Refused } from '../../fhir/interactions.ts';
import { etagOf, type Known } from '../../fhir/resources.ts';
import { type HoldOutcome, ProviderUnavailable } from '../port.ts';
import { isAlone } from './appointments.ts';
import { type Clinic, within } from './clinic.ts';
import { bookingOf, isBusy, marked, unmarked } from './mark.ts';
import { readSlot } from './slots.ts';

/** Two round trips: the slot with everything that it names, and the mark. */
export async function hold(
  clinic: Clinic,
  { ref, bookingId }: Pick<Taking, 'ref' | 'bookingId'>,
  signal?: AbortSignal,
): Promise<HoldOutcome> {
  const slot = await readSlot(within(clinic, signal), ref.slot);
  if (slot?.view.practitionerId !== ref.practitionerId) return { outcome: 'taken' };
  const taken = await takeSlot(clinic, slot.resource, {
    bookingId,
    ref,
    as: 'busy-tentative',
    hasAppointment: false,
    signal,
  });
  // Not "taken", which would be untrue: a server that takes no marks is the operator's to mend.
  if (taken.outcome === 'refused')
    throw new ProviderUnavailable(`PUT Slot: refused (${taken.cause})`, { reason: 'write_refused' });
  const ours = taken.outcome === 'settled' && taken.verdict === 'ours';
  return ours ? { outcome: 'held', slot: slot.view } : { outcome: 'taken' };
}

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
 * @throws ProviderUnavailable at a server that lets the mark drop
 */
export async function takeSlot(
  clinic: Clinic,
  known: Known<'Slot'> | string,
  taking: Taking,
): Promise<Changed<'ours' | 'theirs'>> {
  const { bookingId } = taking;
  const look = async (slot: Known<'Slot'>): Promise<Step<'ours' | 'theirs'>> => {
    const verdict = await verdictOn(clinic, slot, taking);
    if (verdict !== 'take') return { leave: verdict };
    return { write: marked(slot, taking.as, bookingId), then: 'ours' };
  };
  // What follows a mark is done though nobody waits any more.
  const changed = await changeSlot(within(clinic, taking.signal), known, look);
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

async function verdictOn(
  clinic: Clinic,
  slot: Known<'Slot'>,
  taking: Taking,
): Promise<'take' | 'ours' | 'theirs'> {
  switch (ownerOf(slot, taking)) {
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
  throw new ProviderUnavailable('PUT Slot: server drops Slot.identifier: slots can not be held');
}

export function ownerOf(
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

/** What to do about the slot as it was found: write it, or leave it with this verdict. */
export type Step<T> = { readonly write: Known<'Slot'>; readonly then: T } | { readonly leave: T };

export type Changed<T> =
  | { readonly outcome: 'settled'; readonly verdict: T; readonly slot: Known<'Slot'> }
  | { readonly outcome: 'missing' }
  | Refused;

const ATTEMPTS = 4;

/**
 * Changes a slot with `If-Match`. When somebody was quicker, it is read again and judged again: it may be our own
 * earlier attempt whose answer was lost. Where the server keeps no versions, it is read again after the write too, and
 * what stands there then counts.
 * @param known the slot, if it has just been read; its id otherwise
 * @throws ProviderUnavailable when others keep changing it, or an accepted change is not made
 */
export async function changeSlot<T>(
  clinic: Clinic,
  known: Known<'Slot'> | string,
  judge: (slot: Known<'Slot'>) => Promise<Step<T>>,
): Promise<Changed<T>> {
  const id = typeof known === 'string' ? known : known.id;
  let slot = typeof known === 'string' ? null : known;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (slot === null) {
      const read = await clinic.client.read('Slot', id);
      if (read.outcome !== 'found') return read;
      slot = read.resource;
    }
    const step = await judge(slot);
    if ('leave' in step) return { outcome: 'settled', verdict: step.leave, slot };
    const written = await clinic.client.update(slot, step.write);
    if (written.outcome === 'done' && (await isVersioned(clinic, slot))) {
      return { outcome: 'settled', verdict: step.then, slot: written.resource ?? step.write };
    }
    if (written.outcome !== 'done' && written.outcome !== 'conflict') return written;
    slot = null;
  }
  throw new ProviderUnavailable('PUT Slot: changed concurrently too often');
}

/** Whether a change of it that somebody else made meanwhile would have been noticed. */
export const isVersioned = async ({ client }: Clinic, slot: Known<'Slot'>): Promise<boolean> =>
  etagOf(slot) !== null && (await client.metadata.statement()).versions('Slot') === 'yes';
