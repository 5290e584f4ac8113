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
    async run(trial) {
      const booking = trial.newBooking();
      const first = await hold(trial, booking);
      if (first.outcome === 'taken') return failed('it is told that the time is taken');
      if (first.slot.start !== trial.free.start) return failed(`another time is held: ${first.slot.start}`);
      const again = await hold(trial, booking);
      return must(again.outcome === 'held', "the second time, its own mark is taken for somebody else's");
    },
  },
  {
    name: 'tells another booking that a held time is taken',
    run: whenHeld(async (trial) => {
      const { outcome } = await hold(trial, trial.newBooking());
      return must(outcome === 'taken', 'both hold it: two customers could be promised the same time');
    }),
  },
  {
    name: 'does not offer a time that is held',
    run: whenHeld(async (trial) => must(!(await trial.isOffered()), 'it is still offered')),
  },
  {
    name: 'lists the mark of a held time with its booking, and no more once it is released',
    run: whenHeld(async (trial, booking) => {
      const held = await trial.marksAtIt();
      if (!held.includes(booking.bookingId)) return failed('the mark is not listed');
      await release(trial, booking);
      const after = await trial.marksAtIt();
      return must(!after.includes(booking.bookingId), 'the mark is listed after the release');
    }),
  },
  {
    name: 'knows of no appointment where a time is only held',
    run: whenHeld(async (trial, booking) => {
      const [found] = await trial.system.lookUp([booking]);
      return must(found?.state === 'missing', `it is "${found?.state}"`);
    }),
  },
  {
    name: 'offers a time again when it is released, and takes a second release for done',
    run: whenHeld(async (trial, booking) => {
      if ((await release(trial, booking)) !== 'released') return failed('it does not read as free of us');
      if (!(await trial.isOffered())) return failed('it is not offered');
      return must((await release(trial, booking)) === 'released', 'the second release is not taken for done');
    }),
  },
  {
    name: "leaves a time to its holder when another's booking is released",
    run: whenHeld(async (trial, booking) => {
      const other = trial.newBooking();
      await release(trial, other);
      if (await trial.isOffered()) return failed('it is offered again');
      const { outcome } = await hold(trial, booking);
      return must(outcome === 'held', 'its holder has lost it');
    }),
  },
  {
    name: 'lets another booking hold what was released',
    run: whenHeld(async (trial, booking) => {
      await release(trial, booking);
      return must((await hold(trial, trial.newBooking())).outcome === 'held', 'it is told that it is taken');
    }),
  },
  {
    name: 'gives a time to exactly one of two who want it at the same moment',
    async run(trial) {
      for (let round = 1; round <= ROUNDS; round += 1) {
        const rivals = [trial.newBooking(), trial.newBooking()];
        const outcomes = await Promise.all(rivals.map((rival) => hold(trial, rival)));
        const winners = outcomes.filter(({ outcome }) => outcome === 'held').length;
        if (winners !== 1) return failed(`${winners === 0 ? 'neither' : 'both'} got it in round ${round}`);
        for (const rival of rivals) await release(trial, rival);
      }
      return passed;
    },
  },
  {
    name: 'tells that a time is taken which is not there, or no longer at that hour',
    async run(trial) {
      const { free } = trial;
      const unknown = trial.newBooking({ ...free, slot: newBookingId() });
      if ((await hold(trial, unknown)).outcome !== 'taken') return failed('one that is not there was held');
      const [start, end] = [free.start, free.end].map((at) => instant(Date.parse(at) + HOUR_MS));
      const moved = trial.newBooking({ ...free, start: start ?? free.start, end: end ?? free.end });
      return must((await hold(trial, moved)).outcome === 'taken', 'it was held at another hour than it is');
    },
  },
];

const ROUNDS = 3;
const HOUR_MS = 60 * 60 * 1000;

const hold = ({ system }: SlotCheckContext, { slot, bookingId }: BookingRequest) =>
  system.hold(slot, bookingId);

const release = ({ system }: SlotCheckContext, { slot, bookingId }: BookingRequest) =>
  system.release({ bookingId, slot, cancelledBy: 'service' });

function whenHeld(then: (trial: SlotCheckContext, booking: BookingRequest) => Promise<Verdict>) {
  return async (trial: SlotCheckContext): Promise<Verdict> => {
    const booking = trial.newBooking();
    const { outcome } = await hold(trial, booking);
    return outcome === 'held' ? then(trial, booking) : failed('it could not be held in the first place');
  };
}
