import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Everything that is left to chance in a run. The same seed draws the same, in the same order. */
export interface Draws {
  /** Both included. */
  between(least: number, most: number): number;
  oneOf<T>(these: readonly T[]): T;
  /** The more weight, the more often. */
  weighted<T>(these: readonly (readonly [weight: number, value: T])[]): T;
}

export function drawsOf(seed: number): Draws {
  const generator = xoroshiro128plus(seed);
  const between = (least: number, most: number) => uniformInt(generator, least, Math.max(least, most));
  const oneOf = <T>(these: readonly T[]): T => {
    const drawn = these[between(0, these.length - 1)];
    if (drawn === undefined) throw new Error('nothing to draw from');
    return drawn;
  };
  return {
    between,
    oneOf,
    weighted: (these) =>
      oneOf(these.flatMap(([weight, value]) => Array.from({ length: weight }, () => value))),
  };
}
