import { setTimeout as delay } from 'node:timers/promises';
import type { BookingId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import type { SlotRef } from '../../domain/slot.ts';
import type { FhirClient } from '../../fhir/client.ts';
import type { ReadOutcome, Refused } from '../../fhir/interactions.ts';
import { etagOf, type Known } from '../../fhir/resources.ts';
import { type HoldOutcome, ProviderUnavailable } from '../port.ts';
import { isAlone } from './appointments.ts';
import { type Clinic, within } from './clinic.ts';
import { bookingOf, isBusy, marked, unmarked } from './mark.ts';
import { readSlot } from './slots.ts';

/** Two round trips: the slot with everything that it names beside whose appointments stand on it, and the mark. */
export async function hold(
  clinic: Clinic,
  { ref, bookingId }: Pick<Taking, 'ref' | 'bookingId'>,
  signal?: AbortSignal,
): Promise<HoldOutcome> {
  const bounded = within(clinic, signal);
  const since = performance.now();
  const [slot, alone] = await Promise.all([readSlot(bounded, ref.slot), isAlone(bounded, ref, bookingId)]);
  if (slot?.view.practitionerId !== ref.practitionerId) return { outcome: 'taken' };
  const seen = { slot: slot.resource, alone, since };
  const taken = await takeSlot(clinic, seen, {
    ...{ bookingId, ref, signal },
    as: 'busy-tentative',
    hasAppointment: false,
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

/** A slot as it was found, and whether nobody else's appointment stood on it then. */
export interface Seen {
  readonly slot: Known<'Slot'>;
  readonly alone: boolean;
  /** When it began to be read, with all that it names (`performance.now`). */
  readonly since: number;
}

/**
 * Marks the slot as ours, unless somebody else has it. A second time changes nothing.
 * @throws ProviderUnavailable at a server that lets the mark drop
 */
export async function takeSlot(
  clinic: Clinic,
  seen: Seen,
  taking: Taking,
): Promise<Changed<'ours' | 'theirs'>> {
  const { bookingId, ref } = taking;
  // What follows a mark is done though nobody waits any more.
  const bounded = within(clinic, taking.signal);
  let now: Pick<Seen, 'slot' | 'alone'> = seen;
  const read = async (): Promise<ReadOutcome<'Slot'>> => {
    const [found, alone] = await Promise.all([
      bounded.client.read('Slot', ref.slot),
      isAlone(bounded, ref, bookingId),
    ]);
    if (found.outcome === 'found') now = { slot: found.resource, alone };
    return found;
  };
  const known = { known: seen.slot, knownSince: seen.since, read };
  const changed = await changeSlot<'ours' | 'theirs'>(bounded, known, (slot) => {
    const verdict = verdictOn({ slot, alone: now.alone }, taking);
    if (verdict !== 'take') return { leave: verdict };
    return { write: marked(slot, taking.as, bookingId), then: 'ours' };
  });
  if (changed.outcome !== 'settled') return changed;
  const { slot, verdict } = changed;
  // Only an answer to our own writing can show this.
  if (verdict === 'ours' && bookingOf(slot) === null && isBusy(slot) && !taking.hasAppointment)
    return giveBack(clinic, slot);
  // Somebody's appointment came between our reading and our writing, and our mark covers it.
  if (verdict === 'theirs' && !now.alone && bookingOf(slot) === bookingId)
    await changeSlot(clinic, { known: slot, read: () => clinic.client.read('Slot', ref.slot) }, (theirs) =>
      bookingOf(theirs) === bookingId ? { write: unmarked(theirs, 'busy'), then: null } : { leave: null },
    );
  return changed;
}

function verdictOn(
  { slot, alone }: Pick<Seen, 'slot' | 'alone'>,
  taking: Taking,
): 'take' | 'ours' | 'theirs' {
  const owner = ownerOf(slot, taking);
  if (!alone || owner === 'theirs') return 'theirs';
  if (owner === 'free') return 'take';
  // Some servers keep no identifiers of slots, or make the slot busy themselves with the appointment.
  if (owner === 'unmarked') return taking.hasAppointment ? 'ours' : 'theirs';
  return taking.as === 'busy-tentative' || slot.status === 'busy' ? 'ours' : 'take';
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
const LONGEST_WAIT_MS = 2_000;

/**
 * Changes a slot with `If-Match`. When somebody was quicker, it is read again and judged again: it may be our own
 * earlier attempt whose answer was lost. So it is after each write, unless the server is known to keep versions: what
 * stands there then counts.
 * @param slot `known` if it has just been read
 * @throws ProviderUnavailable when others keep changing it, or an accepted change is not made
 */
export async function changeSlot<T>(
  { client }: Clinic,
  {
    known,
    knownSince = performance.now(),
    read,
  }: {
    readonly known: Known<'Slot'> | null;
    readonly knownSince?: number;
    readonly read: () => Promise<ReadOutcome<'Slot'>>;
  },
  judge: (slot: Known<'Slot'>) => Step<T>,
): Promise<Changed<T>> {
  let slot = known;
  let readAt = knownSince;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (slot === null) {
      readAt = performance.now();
      const found = await read();
      if (found.outcome !== 'found') return found;
      slot = found.resource;
    }
    const step = judge(slot);
    if ('leave' in step) return { outcome: 'settled', verdict: step.leave, slot };
    const written = await client.update(slot, step.write);
    if (written.outcome === 'refused' || written.outcome === 'missing') return written;
    const after = written.outcome === 'done' ? (written.resource ?? step.write) : null;
    if (after && (isVersioned(client, slot) || hasLostMark(step.write, after)))
      return { outcome: 'settled', verdict: step.then, slot: after };
    // Who read it as free before we wrote may be about to write: they get as long as we took, and then the last one has it.
    if (etagOf(slot) === null) await delay(Math.min(LONGEST_WAIT_MS, performance.now() - readAt));
    slot = null;
  }
  throw new ProviderUnavailable('PUT Slot: changed concurrently too often');
}

const hasLostMark = (sent: Known<'Slot'>, kept: Known<'Slot'>): boolean =>
  bookingOf(sent) !== null && bookingOf(kept) === null && isBusy(kept);

/** Whether a change of it that somebody else made meanwhile would have been noticed. */
export const isVersioned = ({ metadata }: FhirClient, slot: Known<'Slot'>): boolean =>
  etagOf(slot) !== null && metadata.known().versions('Slot') === 'yes';
