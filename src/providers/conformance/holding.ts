import { instant } from '../../domain/instant.ts';
import { type BookingRequest, ProviderUnavailable } from '../port.ts';
import { type Check, must, newBookingId, type SlotCheckContext } from './check.ts';

/** What is tried by marking a free time for a moment, without any appointment. */
export const HOLDING_CHECKS: readonly Check<SlotCheckContext>[] = [
  {
    name: 'holds a free time, and again for the same booking',
    async run({ system, free, newBooking, hold }) {
      const booking = newBooking();
      const first = await system.hold(booking.slot, booking.bookingId);
      must(first.outcome === 'held', 'it is told that the time is taken');
      must(first.slot.start === free.start, `another time is held: ${first.slot.start}`);
      must((await hold(booking)) === 'held', "the second time, its own mark is taken for somebody else's");
    },
  },
  {
    name: 'holds nothing for whoever waits no longer',
    async run({ system, newBooking, isOffered }) {
      const { slot, bookingId } = newBooking();
      const late = await system.hold(slot, bookingId, AbortSignal.abort()).catch((error: unknown) => {
        if (error instanceof ProviderUnavailable) return null;
        throw error;
      });
      must(late?.outcome !== 'held', 'it is told that the time is held');
      must(await isOffered(), 'the time is not offered any more');
    },
  },
  {
    name: 'tells another booking that a held time is taken',
    run: whenHeld(async ({ hold, newBooking }) => {
      const second = await hold(newBooking());
      must(second === 'taken', 'both hold it: two customers could be promised the same time');
    }),
  },
  {
    name: 'does not offer a time that is held',
    run: whenHeld(async ({ isOffered }) => must(!(await isOffered()), 'it is still offered')),
  },
  {
    name: 'lists the mark of a held time with its booking, and no more once it is released',
    run: whenHeld(async ({ marksAtIt, release }, booking) => {
      must((await marksAtIt()).includes(booking.bookingId), 'the mark is not listed');
      await release(booking);
      must(!(await marksAtIt()).includes(booking.bookingId), 'the mark is listed after the release');
    }),
  },
  {
    name: 'knows of no appointment where a time is only held',
    run: whenHeld(async ({ lookUp }, booking) => {
      const found = await lookUp(booking);
      must(found?.state === 'missing', `it is "${found?.state}"`);
    }),
  },
  {
    name: 'offers a time again when it is released, and takes a second release for done',
    run: whenHeld(async ({ release, isOffered }, booking) => {
      must((await release(booking)) === 'released', 'the slot is still busy after its release');
      must(await isOffered(), 'it is not offered');
      must((await release(booking)) === 'released', 'the second release is not taken for done');
    }),
  },
  {
    name: "leaves a time to its holder when another's booking is released",
    run: whenHeld(async ({ hold, release, newBooking, isOffered }, booking) => {
      await release(newBooking());
      must(!(await isOffered()), 'it is offered again');
      must((await hold(booking)) === 'held', 'its holder has lost it');
    }),
  },
  {
    name: 'lets another booking hold what was released',
    run: whenHeld(async ({ hold, release, newBooking }, booking) => {
      await release(booking);
      must((await hold(newBooking())) === 'held', 'it is told that it is taken');
    }),
  },
  {
    name: 'gives a time to exactly one of two who want it at the same moment',
    async run({ hold, release, newBooking }) {
      for (let round = 1; round <= ROUNDS; round += 1) {
        const rivals = [newBooking(), newBooking()];
        const outcomes = await Promise.all(rivals.map(hold));
        const winners = outcomes.filter((outcome) => outcome === 'held').length;
        must(winners === 1, `${winners === 0 ? 'neither' : 'both'} got it in round ${round}`);
        for (const rival of rivals) await release(rival);
      }
    },
  },
  {
    name: 'tells that a time is taken which is not there, or no longer at that hour',
    async run({ free, hold, newBooking }) {
      const unknown = newBooking({ ...free, slot: newBookingId() });
      must((await hold(unknown)) === 'taken', 'one that is not there was held');
      const later = (time: string) => instant(Date.parse(time) + HOUR_MS);
      const moved = newBooking({ ...free, start: later(free.start), end: later(free.end) });
      must((await hold(moved)) === 'taken', 'it was held at another hour than it is');
    },
  },
];

const ROUNDS = 3;
const HOUR_MS = 60 * 60 * 1000;

function whenHeld(then: (context: SlotCheckContext, booking: BookingRequest) => Promise<void>) {
  return async (context: SlotCheckContext): Promise<void> => {
    const booking = context.newBooking();
    must((await context.hold(booking)) === 'held', 'it could not be held in the first place');
    await then(context, booking);
  };
}
