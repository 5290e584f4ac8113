import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.ts';
import { planOf } from './plan.ts';
import { planInWords } from './report.ts';

describe('the plan of a chaos run', () => {
  const plan = (...options: string[]) => planOf(readOptions(options));

  it('is the same for the same seed, and another one for another', () => {
    expect(plan('--seed', '42')).toEqual(plan('--seed', '42'));
    expect(plan('--seed', '43').parties).not.toEqual(plan('--seed', '42').parties);
    expect(plan('--seed', '43').faults).not.toEqual(plan('--seed', '42').faults);
    expect(planInWords(plan('--seed', '42'))).toContain('Seed 42: 100 cases and 20 kills in 300.0 s.');
  });

  it('has as many cases and kills as are asked for, each process killed as often as the others, in time', () => {
    for (const seed of ['1', '2', '3']) {
      const { parties, faults } = plan('--seed', seed, '--cases', '77', '--kills', '12', '--minutes', '1');
      const numbers = parties.flatMap(({ cases }) => cases.map(({ number }) => number));
      expect(numbers.toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: 77 }, (_, i) => i + 1),
      );
      const kills = faults.filter(({ kind }) => kind === 'kill');
      expect(Object.values(Object.groupBy(kills, ({ of }) => of)).map((its) => its.length)).toEqual([
        3, 3, 3, 3,
      ]);
      expect(faults).toHaveLength(24);
      expect(faults.every(({ at }) => at <= 60_000)).toBe(true);
    }
  });

  it('leaves the cases as they are when there are more kills', () => {
    expect(plan('--seed', '42', '--kills', '9').parties).toEqual(
      plan('--seed', '42', '--kills', '1').parties,
    );
  });

  it('is another one each time where no seed is given, and says which', () => {
    const [one, other] = [plan(), plan()];
    expect(one.seed).not.toBe(other.seed);
    expect(planInWords(one)).toContain(`Seed ${one.seed}:`);
  });
});

describe('options of a chaos run', () => {
  it.each([
    [['--cases', '0'], 'from 1 to 10000'],
    [['--cases', '1.5'], 'a whole number'],
    [['--minutes', '600'], 'from 0.1 to 60'],
    [['--kills', 'many'], 'from 0 to 1000'],
    [['--hosts', 'example.com'], 'unknown option'],
  ])('are refused with what is allowed: %j', (options, words) => {
    let said = '';
    expect(() => readOptions(options, (text) => (said += text))).toThrow();
    expect(said).toContain(words);
    expect(said).toContain('Usage: npm run chaos -- [options]');
  });
});
