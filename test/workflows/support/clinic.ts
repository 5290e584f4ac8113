import { randomUUID } from 'node:crypto';
import type { Actor } from '../../../src/domain/case-state.ts';
import type { BookingId, ProviderId } from '../../../src/domain/ids.ts';
import { instant, type Instant } from '../../../src/domain/instant.ts';
import { NO_DETAILS, slotOf, type Slot, type SlotRef } from '../../../src/domain/slot.ts';
import { ProviderUnavailable, type BookingSystem } from '../../../src/providers/port.ts';
import { eventually } from '../../support/eventually.ts';

type Verb = 'hold' | 'book' | 'release' | 'lookUp' | 'marks';

/** `away`: nothing happened. `answer_lost`: it happened, and nobody heard. `bug`: our own client code breaks on it. */
type Trouble = 'away' | 'answer_lost' | 'bug' | 'refused' | 'not_free';

export interface Clinic extends BookingSystem {
  readonly id: ProviderId;
  /** Makes a free slot. */
  offer(start: Instant): SlotRef;
  /** Its staff moves the appointment to a slot of theirs; our mark stays where it was. */
  move(bookingId: BookingId, to: SlotRef): void;
  /** Its staff cancels the appointment. */
  cancel(bookingId: BookingId): void;
  /** Its staff deletes the appointment, as if it never was; `undo` brings it back. */
  remove(bookingId: BookingId): { undo(): void };
  /** Its staff books the time of the appointment once more, and `undo` takes that back. */
  bookOver(bookingId: BookingId): { undo(): void };
  /** Leaves our mark on a slot, as an attempt does that nobody waited for any more. */
  mark(slot: SlotRef, bookingId: BookingId): void;
  /** Somebody else takes the slot, over the telephone say. */
  giveAway(slot: SlotRef): void;
  /** What befalls each verb from now on. */
  readonly trouble: Partial<Record<Verb, Trouble | undefined>>;
  /** Lets calls of `verb` wait until `goOn`; `reached` resolves when the first one does. */
  pause(verb: Verb): { reached(): Promise<void>; goOn(): void };
  /** Lets everything go on that still waits, so that a test which failed in between can end. */
  goOn(): void;
  /** How often each verb was called. */
  readonly calls: Record<Verb, number>;
  /** Appointments that somebody is expected to come to. */
  live(): readonly { readonly bookingId: BookingId; readonly slot: string }[];
  /** Appointments that were taken back, and by whom. */
  cancelled(): readonly Actor[];
  /** Slots that bear our mark. */
  marked(): readonly string[];
}

/** A provider's calendar in memory. */
export function openClinic(): Clinic {
  const id = `clinic-${randomUUID().slice(0, 8)}` as ProviderId;
  const slots = new Map<string, { slot: Slot; takenBy: BookingId | 'somebody else' | null }>();
  const appointments = new Map<BookingId, { slot: string; cancelledBy: Actor | null }>();
  const bookedOver = new Set<BookingId>();
  const pauses = new Map<Verb, { over: Promise<undefined>; goOn: () => void }>();
  const trouble: Clinic['trouble'] = {};
  const calls: Clinic['calls'] = { hold: 0, book: 0, release: 0, lookUp: 0, marks: 0 };

  const answer = async <T>(verb: Verb, act: () => T): Promise<T> => {
    calls[verb] += 1;
    await pauses.get(verb)?.over;
    if (trouble[verb] === 'away') throw new ProviderUnavailable(`${verb}: no answer`);
    if (trouble[verb] === 'bug') throw new TypeError('Cannot read properties of undefined');
    const result = act();
    if (trouble[verb] === 'answer_lost') throw new ProviderUnavailable(`${verb}: timed out`);
    return result;
  };
  const take = ({ slot: slotId }: SlotRef, bookingId: BookingId) => {
    const found = slots.get(slotId);
    if (!found || (found.takenBy !== null && found.takenBy !== bookingId)) return null;
    found.takenBy = bookingId;
    return found.slot;
  };

  return {
    id,
    trouble,
    calls,
    search: async () => [...slots.values()].filter((s) => s.takenBy === null).map((s) => s.slot),
    hold: (ref, bookingId) =>
      answer('hold', () => {
        const slot = take(ref, bookingId);
        return slot ? { outcome: 'held', slot } : { outcome: 'taken' };
      }),
    book: ({ slot: ref, bookingId }) =>
      answer('book', () => {
        if (trouble.book === 'refused') return { outcome: 'refused', cause: 'http_422' };
        const before = appointments.get(bookingId);
        if (before?.cancelledBy || !take(ref, bookingId)) return { outcome: 'gone' };
        appointments.set(bookingId, { slot: ref.slot, cancelledBy: null });
        return { outcome: 'booked', reference: `Appointment/${bookingId}` };
      }),
    release: ({ bookingId, slot: { slot }, cancelledBy }) =>
      answer('release', () => {
        const appointment = appointments.get(bookingId);
        if (appointment) appointment.cancelledBy ??= cancelledBy;
        if (trouble.release === 'not_free') return 'not_free';
        const found = slots.get(slot);
        if (found?.takenBy === bookingId) found.takenBy = null;
        return 'released';
      }),
    lookUp: (bookings) =>
      answer('lookUp', () =>
        bookings.map(({ bookingId }) => {
          const appointment = appointments.get(bookingId);
          const slot = slots.get(appointment?.slot ?? '')?.slot;
          if (!appointment || !slot) return { state: 'missing' };
          if (appointment.cancelledBy !== null) return { state: 'cancelled' };
          const doubleBooked = bookedOver.has(bookingId);
          return { state: 'stands', reference: `Appointment/${bookingId}`, slot, doubleBooked };
        }),
      ),
    marks: ({ from, to }) =>
      answer('marks', () =>
        [...slots.values()].flatMap(({ slot, takenBy }) => {
          const isOurs = takenBy !== null && takenBy !== 'somebody else';
          return isOurs && slot.start >= from && slot.start < to
            ? [{ bookingId: takenBy, slot: slotOf(slot) }]
            : [];
        }),
      ),
    capabilities: async () => [],
    offer(start) {
      const slot: Slot = {
        providerId: id,
        slot: `slot-${slots.size + 1}`,
        practitionerId: 'practitioner-1',
        start,
        end: instant(Date.parse(start) + 45 * 60_000),
        practitioner: 'Practitioner One',
        location: 'Storgata 1',
        mode: 'in_person',
        details: NO_DETAILS,
      };
      slots.set(slot.slot, { slot, takenBy: null });
      return slotOf(slot);
    },
    move(bookingId, to) {
      const appointment = appointments.get(bookingId);
      const found = slots.get(to.slot);
      if (!appointment || !found) throw new Error('there is nothing to move, or nowhere to');
      appointment.slot = to.slot;
      found.takenBy ??= bookingId;
    },
    cancel(bookingId) {
      const appointment = appointments.get(bookingId);
      if (appointment) appointment.cancelledBy = 'provider';
    },
    remove(bookingId) {
      const appointment = appointments.get(bookingId);
      appointments.delete(bookingId);
      return { undo: () => appointment && void appointments.set(bookingId, appointment) };
    },
    bookOver(bookingId) {
      bookedOver.add(bookingId);
      return { undo: () => void bookedOver.delete(bookingId) };
    },
    mark({ slot }, bookingId) {
      const found = slots.get(slot);
      if (found) found.takenBy = bookingId;
    },
    giveAway({ slot }) {
      const found = slots.get(slot);
      if (found) found.takenBy = 'somebody else';
    },
    pause(verb) {
      const over = Promise.withResolvers<undefined>();
      const before = calls[verb];
      const goOn = () => {
        pauses.delete(verb);
        over.resolve(undefined);
      };
      pauses.set(verb, { over: over.promise, goOn });
      return {
        goOn,
        async reached() {
          await eventually(() => calls[verb] > before, { what: `a call of ${verb}` });
        },
      };
    },
    goOn() {
      for (const { goOn } of pauses.values()) goOn();
    },
    live: () =>
      [...appointments].flatMap(([bookingId, { slot, cancelledBy }]) =>
        cancelledBy === null ? [{ bookingId, slot }] : [],
      ),
    cancelled: () => [...appointments.values()].flatMap(({ cancelledBy }) => cancelledBy ?? []),
    marked: () =>
      [...slots].flatMap(([slot, { takenBy }]) =>
        takenBy !== null && takenBy !== 'somebody else' ? [slot] : [],
      ),
  };
}
