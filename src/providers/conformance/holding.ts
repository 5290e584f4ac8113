import { instant } from '../../domain/instant.ts';
import type { BookingRequest } from '../port.ts';
import {
  type Check,
  failed,
  must,
  newBookingId,
  passed,
  type SlotCheckContext,
  type Verdict,
} from './check.ts';

/** What is tried by marking a free time for a moment, without any appointment. */
export const HOLDING_CHECKS: readonly Check<SlotCheckContext>[] = [
  {
    name: 'holds a free time, and again for the same booking',
    async run(context) {
      const booking = context.newBooking();
      const first = await hold(context, booking);
      if (first.outcome === 'taken') return failed('it is told that the time is taken');
      if (first.slot.start !== context.free.start) return failed(`another time is held: ${first.slot.start}`);
      const again = await hold(context, booking);
      return must(again.outcome === 'held', "the second time, its own mark is taken for somebody else's");
    },
  },
  {
    name: 'tells another booking that a held time is taken',
    run: whenHeld(async (context) => {
      const { outcome } = await hold(context, context.newBooking());
      return must(outcome === 'taken', 'both hold it: two customers could be promised the same time');
    }),
  },
  {
    name: 'does not offer a time that is held',
    run: whenHeld(async (context) => must(!(await context.isOffered()), 'it is still offered')),
  },
  {
    name: 'lists the mark of a held time with its booking, and no more once it is released',
    run: whenHeld(async (context, booking) => {
      const held = await context.marksAtIt();
      if (!held.includes(booking.bookingId)) return failed('the mark is not listed');
      await release(context, booking);
      const after = await context.marksAtIt();
      return must(!after.includes(booking.bookingId), 'the mark is listed after the release');
    }),
  },
  {
    name: 'knows of no appointment where a time is only held',
    run: whenHeld(async (context, booking) => {
      const [found] = await context.system.lookUp([booking]);
      return must(found?.state === 'missing', `it is "${found?.state}"`);
    }),
  },
  {
    name: 'offers a time again when it is released, and takes a second release for done',
    run: whenHeld(async (context, booking) => {
      if ((await release(context, booking)) !== 'released') return failed('it does not read as free of us');
      if (!(await context.isOffered())) return failed('it is not offered');
      return must(
        (await release(context, booking)) === 'released',
        'the second release is not taken for done',
      );
    }),
  },
  {
    name: "leaves a time to its holder when another's booking is released",
    run: whenHeld(async (context, booking) => {
      const other = context.newBooking();
      await release(context, other);
      if (await context.isOffered()) return failed('it is offered again');
      const { outcome } = await hold(context, booking);
      return must(outcome === 'held', 'its holder has lost it');
    }),
  },
  {
    name: 'lets another booking hold what was released',
    run: whenHeld(async (context, booking) => {
      await release(context, booking);
      return must(
        (await hold(context, context.newBooking())).outcome === 'held',
        'it is told that it is taken',
      );
    }),
  },
  {
    name: 'gives a time to exactly one of two who want it at the same moment',
    async run(context) {
      for (let round = 1; round <= ROUNDS; round += 1) {
        const rivals = [context.newBooking(), context.newBooking()];
        const outcomes = await Promise.all(rivals.map((rival) => hold(context, rival)));
        const winners = outcomes.filter(({ outcome }) => outcome === 'held').length;
        if (winners !== 1) return failed(`${winners === 0 ? 'neither' : 'both'} got it in round ${round}`);
        for (const rival of rivals) await release(context, rival);
      }
      return passed;
    },
  },
  {
    name: 'tells that a time is taken which is not there, or no longer at that hour',
    async run(context) {
      const { free } = context;
      const unknown = context.newBooking({ ...free, slot: newBookingId() });
      if ((await hold(context, unknown)).outcome !== 'taken') return failed('one that is not there was held');
      const [start, end] = [free.start, free.end].map((at) => instant(Date.parse(at) + HOUR_MS));
      const moved = context.newBooking({ ...free, start: start ?? free.start, end: end ?? free.end });
      return must((await hold(context, moved)).outcome === 'taken', 'it was held at another hour than it is');
    },
  },
];

const ROUNDS = 3;
const HOUR_MS = 60 * 60 * 1000;

const hold = ({ system }: SlotCheckContext, { slot, bookingId }: BookingRequest) =>
  system.hold(slot, bookingId);

const release = ({ system }: SlotCheckContext, { slot, bookingId }: BookingRequest) =>
  system.release({ bookingId, slot, cancelledBy: 'service' });

function whenHeld(then: (context: SlotCheckContext, booking: BookingRequest) => Promise<Verdict>) {
  return async (context: SlotCheckContext): Promise<Verdict> => {
    const booking = context.newBooking();
    const { outcome } = await hold(context, booking);
    return outcome === 'held' ? then(context, booking) : failed('it could not be held in the first place');
  };
}
