import { isDeepStrictEqual } from 'node:util';
import { instant } from '../../domain/instant.ts';
import type { Slot } from '../../domain/slot.ts';
import { type Check, type CheckContext, must, newBookingId, noFreeTime } from './check.ts';

/** What is tried without changing anything at the provider. The first two have to succeed for anything else to. */
export const READING_CHECKS: readonly Check[] = [
  {
    name: 'says by its own account what it can do',
    async run({ system }) {
      must((await system.capabilities()).length > 0, 'it says nothing');
    },
  },
  {
    name: 'finds free times of the treatment',
    run: onOffer(() => undefined),
  },
  {
    name: 'offers only times to come, within the time asked for',
    run: onOffer((found, { from, to, now }) => {
      const outside = found.filter(({ start }) => start < from || start >= to);
      const past = found.filter(({ start }) => Date.parse(start) < now() - A_MOMENT_MS);
      must(outside.length === 0, `${outside.length} of ${found.length} are outside of it`);
      must(past.length === 0, `${past.length} of ${found.length} are past`);
    }),
  },
  {
    name: 'offers the earliest first',
    run: onOffer((found) => {
      const wrong = found.find((slot, i) => slot.start < (found[i - 1]?.start ?? ''));
      must(wrong === undefined, `${wrong?.start} comes after a later one`);
    }),
  },
  {
    name: 'says of each time whose it is, where, and until when',
    run: onOffer((found, { providerId }) => {
      const incomplete = found.filter(
        (slot) => !slot.practitioner || !slot.practitionerId || !slot.location || slot.end <= slot.start,
      );
      must(incomplete.length === 0, `${incomplete.length} of ${found.length} lack something`);
      must(!found.some((slot) => slot.providerId !== providerId), "one is another provider's");
      must(new Set(found.map(({ slot }) => slot)).size === found.length, 'two have the same id');
    }),
  },
  {
    name: 'offers of a shorter time exactly what belongs into it',
    async run(context) {
      // somebody may book in between: what differs by chance does not differ twice
      const difference = (await differenceOfPart(context)) && (await differenceOfPart(context));
      must(difference === null, difference ?? '');
    },
  },
  {
    name: 'offers nothing for a treatment that nobody gives',
    async run({ system, from, to }) {
      const found = await system.search({ treatmentType: 'no_such_treatment', from, to });
      must(found.length === 0, `${found.length} times are offered all the same`);
    },
  },
  {
    name: 'knows nothing of a booking that was never made',
    run: onOffer(async ([slot], { system }) => {
      const [found, ...more] = await system.lookUp([{ bookingId: newBookingId(), slot }]);
      must(found !== undefined && more.length === 0, 'it does not answer one for one');
      must(found.state === 'missing', `it is "${found.state}"`);
    }),
  },
  {
    name: 'lists our marks of the time asked for, and no others',
    async run({ system, from, to }) {
      const marks = await system.marks({ from, to });
      const outside = marks.filter(({ slot }) => slot.start < from || slot.start >= to);
      must(outside.length === 0, `${outside.length} of ${marks.length} are outside of it`);
    },
  },
];

/** What passes between the question and the answer. */
const A_MOMENT_MS = 30_000;

/** For what can only be judged where there is a time on offer. */
function onOffer(judge: (found: readonly [Slot, ...Slot[]], context: CheckContext) => Promise<void> | void) {
  return async (context: CheckContext): Promise<void> => {
    const [first, ...others] = await context.offered();
    if (first === undefined) throw noFreeTime(context);
    await judge([first, ...others], context);
  };
}

/** What is offered at one moment in the middle, asked for among all and by itself. @returns null when that is the same */
async function differenceOfPart(context: CheckContext): Promise<string | null> {
  const whole = await context.offered();
  const at = whole[Math.floor(whole.length / 2)]?.start;
  if (at === undefined) throw noFreeTime(context);
  const idsOf = (slots: readonly Slot[]) => slots.map(({ slot }) => slot).toSorted();
  const expected = idsOf(whole.filter(({ start }) => start === at));
  const found = idsOf(await context.offered({ from: at, to: instant(Date.parse(at) + 1) }));
  if (isDeepStrictEqual(found, expected)) return null;
  return `${expected.length} start at ${at}, and ${found.length} are found when asked for just that`;
}
