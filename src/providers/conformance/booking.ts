import { type BookingRequest, type BookOutcome, ProviderUnavailable } from '../port.ts';
import {
  type Check,
  failed,
  must,
  newBookingId,
  passed,
  type SlotCheckContext,
  type Verdict,
} from './check.ts';

/** What is tried by making appointments of a fictitious patient; each is cancelled again. */
export const BOOKING_CHECKS: readonly Check<SlotCheckContext>[] = [
  {
    name: 'makes an appointment at a held time, and finds it again among others',
    async run(context) {
      const booking = context.newBooking();
      await context.system.hold(booking.slot, booking.bookingId);
      const made = await context.system.book(booking);
      if (made.outcome !== 'booked') return notBooked(made);
      const never = { bookingId: newBookingId(), slot: booking.slot };
      const [before, found, after] = await context.system.lookUp([never, booking, never]);
      if (before?.state !== 'missing' || after?.state !== 'missing')
        return failed('the answers are not in the order asked for');
      if (found?.state !== 'stands') return failed(`when looked up, it is "${found?.state}"`);
      if (found.reference !== made.reference) return failed('when looked up, it is another appointment');
      return must(
        found.slot.start === booking.slot.start && found.slot.end === booking.slot.end,
        `when looked up, it is at ${found.slot.start}`,
      );
    },
  },
  {
    name: 'makes an appointment at a free time that nobody held',
    run: whenBooked(async () => passed),
  },
  {
    name: 'makes one appointment when told twice',
    run: whenBooked(async (context, booking, reference) => {
      const again = await context.system.book(booking);
      if (again.outcome !== 'booked') return notBooked(again, 'the second time, ');
      if (again.reference !== reference) return failed('the second time, it is another appointment');
      return onlyOne(context);
    }),
  },
  {
    name: 'makes one appointment when told twice at the same moment',
    async run(context) {
      const booking = context.newBooking();
      const both = await Promise.allSettled([context.system.book(booking), context.system.book(booking)]);
      for (const one of both) {
        // unavailable is no answer; the repetition below gives it
        if (one.status === 'rejected' && !(one.reason instanceof ProviderUnavailable)) throw one.reason;
        if (one.status === 'fulfilled' && one.value.outcome !== 'booked')
          return notBooked(one.value, 'for one of them, ');
      }
      const again = await context.system.book(booking);
      if (again.outcome !== 'booked') return notBooked(again, 'afterwards, ');
      const [found] = await context.system.lookUp([booking]);
      if (found?.state !== 'stands' || found.reference !== again.reference)
        return failed('afterwards, it is not the one that stands');
      return onlyOne(context);
    },
  },
  {
    name: 'neither offers a booked time nor gives it to another',
    run: whenBooked(async (context) => {
      if (await context.isOffered()) return failed('it is still offered');
      const other = context.newBooking();
      if ((await context.system.hold(other.slot, other.bookingId)).outcome !== 'taken')
        return failed('another could hold it');
      const second = await context.system.book(other);
      return must(second.outcome === 'gone', `another's booking is "${causeOf(second)}"`);
    }),
  },
  {
    name: 'lists the mark of a booked time',
    run: whenBooked(async (context, { bookingId }) =>
      must((await context.marksAtIt()).includes(bookingId), 'it is not listed'),
    ),
  },
  {
    name: 'cancels: the appointment stands no more, the time is offered again, and a second release is done',
    run: whenBooked(async (context, booking) => {
      if ((await release(context, booking)) !== 'released') return failed('it does not read as free of us');
      const [found] = await context.system.lookUp([booking]);
      if (found === undefined || found.state === 'stands') return failed('the appointment still stands');
      if (!(await context.isOffered())) return failed('the time is not offered');
      return must(
        (await release(context, booking)) === 'released',
        'the second release is not taken for done',
      );
    }),
  },
  {
    name: "leaves an appointment alone when another's booking is released",
    run: whenBooked(async (context, booking, reference) => {
      await release(context, context.newBooking());
      const [found] = await context.system.lookUp([booking]);
      return must(found?.state === 'stands' && found.reference === reference, `it is "${found?.state}"`);
    }),
  },
  {
    name: 'lets another booking have what was cancelled',
    run: whenBooked(async (context, booking) => {
      await release(context, booking);
      const next = await context.system.book(context.newBooking());
      if (next.outcome !== 'booked') return notBooked(next);
      return onlyOne(context);
    }),
  },
  {
    name: 'books a time for exactly one of two who want it at the same moment',
    async run(context) {
      const rivals = [context.newBooking(), context.newBooking()];
      const outcomes = await Promise.all(rivals.map((rival) => context.system.book(rival)));
      const told = outcomes.map(causeOf).toSorted();
      if (told.join() !== 'booked,gone') return failed(`they are told "${told.join('" and "')}"`);
      return onlyOne(context);
    },
  },
  {
    name: 'tells that a time is gone which is not there',
    async run(context) {
      const nowhere = context.newBooking({ ...context.free, slot: newBookingId() });
      const { outcome } = await context.system.book(nowhere);
      return must(outcome === 'gone', `it is "${outcome}"`);
    },
  },
];

const causeOf = (made: BookOutcome): string =>
  made.outcome === 'refused' ? `refused: ${made.cause}` : made.outcome;

const notBooked = (made: BookOutcome, when = ''): Verdict =>
  failed(`${when}it is "${causeOf(made)}"`, made.outcome === 'refused' ? 'write_refused' : null);

const release = ({ system }: SlotCheckContext, { slot, bookingId }: BookingRequest) =>
  system.release({ bookingId, slot, cancelledBy: 'service' });

/** Counted where it can be; over the port alone a double is not seen. */
async function onlyOne({ appointmentsAt, free }: SlotCheckContext): Promise<Verdict> {
  if (appointmentsAt === null) return passed;
  const count = await appointmentsAt(free);
  return must(count === 1, `${count} appointments are there`);
}

function whenBooked(
  then: (context: SlotCheckContext, booking: BookingRequest, reference: string) => Promise<Verdict>,
) {
  return async (context: SlotCheckContext): Promise<Verdict> => {
    const booking = context.newBooking();
    const made = await context.system.book(booking);
    if (made.outcome === 'booked') return then(context, booking, made.reference);
    return notBooked(made, 'it could not be booked in the first place: ');
  };
}
