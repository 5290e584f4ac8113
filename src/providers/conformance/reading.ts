import { instant } from '../../domain/instant.ts';
import type { Slot } from '../../domain/slot.ts';
import {
  type Check,
  type CheckContext,
  failed,
  must,
  newBookingId,
  noFreeTime,
  notPossible,
  passed,
} from './check.ts';

/** What is tried without changing anything at the provider. The first two have to succeed for anything else to. */
export const READING_CHECKS: readonly Check[] = [
  {
    name: 'says by its own account what it can do',
    async run({ system }) {
      const account = await system.capabilities();
      return must(account.length > 0, 'it says nothing');
    },
  },
  {
    name: 'finds free times of the treatment',
    async run(context) {
      const found = await context.offered();
      return found.length > 0 ? passed : noFreeTime(context);
    },
  },
  {
    name: 'offers only times to come, within the time asked for',
    run: onOffer((found, { from, to, now }) => {
      const outside = found.filter(({ start }) => start < from || start >= to);
      const past = found.filter(({ start }) => Date.parse(start) < now() - A_MOMENT_MS);
      if (outside.length > 0) return failed(`${outside.length} of ${found.length} are outside of it`);
      return must(past.length === 0, `${past.length} of ${found.length} are past`);
    }),
  },
  {
    name: 'offers the earliest first',
    run: onOffer((found) => {
      const wrong = found.find((slot, i) => slot.start < (found[i - 1]?.start ?? ''));
      return must(wrong === undefined, `${wrong?.start} comes after a later one`);
    }),
  },
  {
    name: 'says of each time whose it is, where, and until when',
    run: onOffer((found, { providerId }) => {
      const incomplete = found.filter(
        (slot) => !slot.practitioner || !slot.practitionerId || !slot.location || slot.end <= slot.start,
      );
      if (incomplete.length > 0) return failed(`${incomplete.length} of ${found.length} lack something`);
      if (found.some((slot) => slot.providerId !== providerId)) return failed("one is another provider's");
      return must(new Set(found.map(({ slot }) => slot)).size === found.length, 'two have the same id');
    }),
  },
  {
    name: 'offers of a shorter time exactly what belongs into it',
    async run(context) {
      // somebody may book in between: what differs by chance does not differ twice
      const first = await compareParts(context);
      return first.outcome === 'failed' ? compareParts(context) : first;
    },
  },
  {
    name: 'offers nothing for a treatment that nobody gives',
    async run({ system, from, to }) {
      const found = await system.search({ treatmentType: 'no_such_treatment', from, to });
      return must(found.length === 0, `${found.length} times are offered all the same`);
    },
  },
  {
    name: 'knows nothing of a booking that was never made',
    run: onOffer(async ([slot], { system }) => {
      if (slot === undefined) return notPossible('there is no time to ask for');
      const [found, ...more] = await system.lookUp([{ bookingId: newBookingId(), slot }]);
      if (found === undefined || more.length > 0) return failed('it does not answer one for one');
      return must(found.state === 'missing', `it is "${found.state}"`);
    }),
  },
  {
    name: 'lists our marks of the time asked for, and no others',
    async run({ system, from, to }) {
      const marks = await system.marks({ from, to });
      const outside = marks.filter(({ slot }) => slot.start < from || slot.start >= to);
      return must(outside.length === 0, `${outside.length} of ${marks.length} are outside of it`);
    },
  },
];

/** What passes between the question and the answer. */
const A_MOMENT_MS = 30_000;

/** For what can only be judged where there is a time on offer. */
function onOffer(
  judge: (found: Slot[], context: CheckContext) => ReturnType<Check['run']> | ReturnType<typeof must>,
) {
  return async (context: CheckContext) => {
    const found = await context.offered();
    return found.length > 0 ? judge(found, context) : noFreeTime(context);
  };
}

async function compareParts(context: CheckContext) {
  const whole = await context.offered();
  const middle = whole[Math.floor(whole.length / 2)];
  if (middle === undefined) return noFreeTime(context);
  const idsOf = (slots: readonly Slot[]) => slots.map(({ slot }) => slot).toSorted();
  const at = middle.start;
  const expected = idsOf(whole.filter(({ start }) => start === at));
  const found = idsOf(await context.offered({ from: at, to: instant(Date.parse(at) + 1) }));
  return must(
    JSON.stringify(found) === JSON.stringify(expected),
    `${expected.length} start at ${at}, and ${found.length} are found when asked for just that`,
  );
}
