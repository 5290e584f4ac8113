import { expect } from '@jest/globals';
import type { BookingId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import type { Slot } from '../../src/domain/slot.ts';
import type { BookingSystem, BookOutcome, HoldOutcome } from '../../src/providers/port.ts';
import { type ClinicBooks, markOf, slotsOf } from '../support/clinics.ts';
import { bookingOf } from './clinic-at-hand.ts';

/** One booking of one slot. */
export interface Attempt {
  readonly slot: Slot;
  readonly bookingId: BookingId;
}

type Check = (answer: unknown, attempt: Attempt, books: ClinicBooks) => void;

export interface Verb {
  readonly name: string;
  /** What has happened before, at a clinic that is well. */
  readonly prepare: (system: BookingSystem, attempt: Attempt) => Promise<unknown>;
  readonly run: (system: BookingSystem, attempt: Attempt) => Promise<unknown>;
  /** The one right answer, and the books that go with it. */
  readonly isRight: Check;
  /** What any answer promises about the books, also that of an adapter which was told something false. */
  readonly isKept?: Check;
}

const hold = (system: BookingSystem, { slot, bookingId }: Attempt) => system.hold(slot, bookingId);
const book = (system: BookingSystem, { slot, bookingId }: Attempt) =>
  system.book(bookingOf(slot, bookingId, `case-${bookingId}`));
const release = (system: BookingSystem, { slot, bookingId }: Attempt) =>
  system.release({ bookingId, slot, cancelledBy: 'customer' });
const nothing = async () => undefined;
const holdAndBook = async (system: BookingSystem, attempt: Attempt) => {
  expect(await hold(system, attempt)).toMatchObject({ outcome: 'held' });
  expect(await book(system, attempt)).toMatchObject({ outcome: 'booked' });
};

const ofBooking = (books: ClinicBooks, { slot, bookingId }: Attempt) => {
  const found = books.slots.get(slot.slot);
  return {
    live: books.live.filter((one) => markOf(one) === bookingId).map(({ id }) => id),
    slot: found?.status,
    isOurs: found !== undefined && markOf(found) === bookingId,
  };
};
const NOTHING = { live: [], slot: 'free', isOurs: false };

const isHeld: Check = (answer, attempt, books) => {
  expect(answer).toEqual({ outcome: 'held', slot: attempt.slot });
  expect(ofBooking(books, attempt)).toEqual({ live: [], slot: 'busy-tentative', isOurs: true });
};
const isBooked: Check = (answer, attempt, books) => {
  const { live } = ofBooking(books, attempt);
  expect(answer).toEqual({ outcome: 'booked', reference: live[0] });
  expect(ofBooking(books, attempt)).toEqual({ live: [live[0]], slot: 'busy', isOurs: true });
};
const isReleased: Check = (answer, attempt, books) => {
  expect(answer).toBe('released');
  expect(ofBooking(books, attempt)).toEqual(NOTHING);
};
const holdIsKept: Check = (answer, attempt, books) => {
  if ((answer as HoldOutcome).outcome === 'held') isHeld(answer, attempt, books);
};
const bookIsKept: Check = (answer, attempt, books) => {
  if ((answer as BookOutcome).outcome === 'booked') isBooked(answer, attempt, books);
  else expect(ofBooking(books, attempt)).toMatchObject({ live: [], isOurs: false });
};
const releaseIsKept: Check = (answer, attempt, books) => {
  // Told that somebody else's appointment stands there, it leaves the slot busy, but not with its mark.
  if (answer === 'released') expect(ofBooking(books, attempt)).toMatchObject({ live: [], isOurs: false });
};

export const aMonth = () => {
  const from = instant(Date.now());
  return { from, to: daysAfter(from, 30) };
};

export const VERBS: readonly Verb[] = [
  {
    name: 'search',
    prepare: hold,
    run: (system) => system.search({ treatmentType: 'psychology', ...aMonth() }),
    isRight(answer, _, books) {
      const free = [...books.slots.values()].filter(
        ({ status, serviceType }) =>
          status === 'free' && serviceType?.[0]?.coding?.[0]?.code === 'psychology',
      );
      expect((answer as Slot[]).map(({ slot }) => slot).toSorted()).toEqual(
        free.map(({ id }) => id).toSorted(),
      );
    },
  },
  { name: 'hold', prepare: nothing, run: hold, isRight: isHeld, isKept: holdIsKept },
  { name: 'hold, once more', prepare: hold, run: hold, isRight: isHeld, isKept: holdIsKept },
  { name: 'book what is held', prepare: hold, run: book, isRight: isBooked, isKept: bookIsKept },
  { name: 'book what is free', prepare: nothing, run: book, isRight: isBooked, isKept: bookIsKept },
  { name: 'book, once more', prepare: holdAndBook, run: book, isRight: isBooked, isKept: bookIsKept },
  { name: 'release a hold', prepare: hold, run: release, isRight: isReleased, isKept: releaseIsKept },
  { name: 'release', prepare: holdAndBook, run: release, isRight: isReleased, isKept: releaseIsKept },
  {
    name: 'look up',
    prepare: holdAndBook,
    run: async (system, attempt) => (await system.lookUp([attempt]))[0],
    isRight(answer, attempt, books) {
      const [reference] = ofBooking(books, attempt).live;
      expect(answer).toMatchObject({ state: 'stands', reference, slot: attempt.slot });
      // null where a fault met the look for others: never one that isn't there
      expect(answer).not.toMatchObject({ doubleBooked: true });
    },
  },
  {
    name: 'marks',
    prepare: hold,
    run: (system) => system.marks(aMonth()),
    isRight: (answer, { bookingId, slot }) =>
      expect(answer).toMatchObject([{ bookingId, slot: { slot: slot.slot } }]),
  },
];

/** No appointment too many, whatever was answered: neither on one slot nor of one booking. */
export function expectNoDouble(attempt: Attempt, books: ClinicBooks): void {
  expect(books.doubles()).toEqual([]);
  expect(books.live.flatMap(slotsOf)).toEqual(books.live.length === 0 ? [] : [attempt.slot.slot]);
}
