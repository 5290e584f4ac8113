import { type BookingRequest, type BookOutcome, ProviderUnavailable } from '../port.ts';
import { type Check, must, newBookingId, type SlotCheckContext } from './check.ts';

/** What is tried by making appointments of a fictitious patient; each is cancelled again. */
export const BOOKING_CHECKS: readonly Check<SlotCheckContext>[] = [
  {
    name: 'makes an appointment at a held time, and finds it again among others',
    async run({ system, newBooking, hold }) {
      const booking = newBooking();
      await hold(booking);
      const made = await system.book(booking);
      mustBook(made);
      const never = { bookingId: newBookingId(), slot: booking.slot };
      const [before, found, after] = await system.lookUp([never, booking, never]);
      must(
        before?.state === 'missing' && after?.state === 'missing',
        'the answers are not in the order asked for',
      );
      must(found?.state === 'stands', `when looked up, it is "${found?.state}"`);
      must(found.reference === made.reference, 'when looked up, it is another appointment');
      must(
        found.slot.start === booking.slot.start && found.slot.end === booking.slot.end,
        `when looked up, it is at ${found.slot.start}`,
      );
    },
  },
  {
    name: 'makes an appointment at a free time that nobody held',
    run: whenBooked(() => Promise.resolve()),
  },
  {
    name: 'makes one appointment when told twice',
    run: whenBooked(async (context, booking, reference) => {
      const again = await context.system.book(booking);
      mustBook(again, 'the second time, ');
      must(again.reference === reference, 'the second time, it is another appointment');
      await mustBeOnlyOne(context);
    }),
  },
  {
    name: 'makes one appointment when told twice at the same moment',
    async run(context) {
      const booking = context.newBooking();
      const book = () => context.system.book(booking);
      const both = await Promise.allSettled([book(), book()]);
      for (const one of both) {
        // unavailable is no answer; the repetition below gives it
        if (one.status === 'rejected' && !(one.reason instanceof ProviderUnavailable)) throw one.reason;
        if (one.status === 'fulfilled') mustBook(one.value, 'for one of them, ');
      }
      const again = await book();
      mustBook(again, 'afterwards, ');
      const found = await context.lookUp(booking);
      must(
        found?.state === 'stands' && found.reference === again.reference,
        'afterwards, it is not the one that stands',
      );
      await mustBeOnlyOne(context);
    },
  },
  {
    name: 'neither offers a booked time nor gives it to another',
    run: whenBooked(async ({ system, newBooking, hold, isOffered }) => {
      must(!(await isOffered()), 'it is still offered');
      const other = newBooking();
      must((await hold(other)) === 'taken', 'another could hold it');
      const second = await system.book(other);
      must(second.outcome === 'gone', `another's booking is "${causeOf(second)}"`);
    }),
  },
  {
    name: 'lists the mark of a booked time',
    run: whenBooked(async ({ marksAtIt }, { bookingId }) =>
      must((await marksAtIt()).includes(bookingId), 'it is not listed'),
    ),
  },
  {
    name: 'cancels: the appointment stands no more, the time is offered again, and a second release is done',
    run: whenBooked(async ({ release, lookUp, isOffered }, booking) => {
      must((await release(booking)) === 'released', 'the slot is still busy after its release');
      const found = await lookUp(booking);
      must(found !== undefined && found.state !== 'stands', 'the appointment still stands');
      must(await isOffered(), 'the time is not offered');
      must((await release(booking)) === 'released', 'the second release is not taken for done');
    }),
  },
  {
    name: 'makes no appointment for a booking that was released, however late it is told to',
    run: whenBooked(async ({ system, release, lookUp, isOffered }, booking) => {
      await release(booking);
      const late = await system.book(booking);
      must(late.outcome === 'gone', `it is "${causeOf(late)}"`);
      must((await lookUp(booking))?.state !== 'stands', 'the appointment stands again');
      must(await isOffered(), 'the time is not offered');
    }),
  },
  {
    name: "leaves an appointment alone when another's booking is released",
    run: whenBooked(async ({ release, newBooking, lookUp }, booking, reference) => {
      await release(newBooking());
      const found = await lookUp(booking);
      must(found?.state === 'stands' && found.reference === reference, `it is "${found?.state}"`);
    }),
  },
  {
    name: 'lets another booking have what was cancelled',
    run: whenBooked(async (context, booking) => {
      await context.release(booking);
      mustBook(await context.system.book(context.newBooking()));
      await mustBeOnlyOne(context);
    }),
  },
  {
    name: 'books a time for exactly one of two who want it at the same moment',
    async run(context) {
      const rivals = [context.newBooking(), context.newBooking()];
      const outcomes = await Promise.all(rivals.map((rival) => context.system.book(rival)));
      const told = outcomes.map(causeOf).toSorted();
      must(told.join() === 'booked,gone', `they are told "${told.join('" and "')}"`);
      await mustBeOnlyOne(context);
    },
  },
  {
    name: 'tells that a time is gone which is not there',
    async run({ system, free, newBooking }) {
      const { outcome } = await system.book(newBooking({ ...free, slot: newBookingId() }));
      must(outcome === 'gone', `it is "${outcome}"`);
    },
  },
];

const causeOf = (made: BookOutcome): string =>
  made.outcome === 'refused' ? `refused: ${made.cause}` : made.outcome;

function mustBook(made: BookOutcome, when = ''): asserts made is Extract<BookOutcome, { outcome: 'booked' }> {
  const cause = made.outcome === 'refused' ? 'write_refused' : null;
  must(made.outcome === 'booked', `${when}it is "${causeOf(made)}"`, cause);
}

/** Counted where it can be; over the port alone a double is not seen. */
async function mustBeOnlyOne({ appointmentsAt, free }: SlotCheckContext): Promise<void> {
  const count = (await appointmentsAt?.(free)) ?? 1;
  must(count === 1, `${count} appointments are there`);
}

function whenBooked(
  then: (context: SlotCheckContext, booking: BookingRequest, reference: string) => Promise<void>,
) {
  return async (context: SlotCheckContext): Promise<void> => {
    const booking = context.newBooking();
    const made = await context.system.book(booking);
    mustBook(made, 'it could not be booked in the first place: ');
    await then(context, booking, made.reference);
  };
}
