import { describe, expect, it } from '@jest/globals';
import { parseTime } from '../../src/calendar/dates.ts';

describe('a time as people type it', () => {
  it.each([
    ['2026-11-24', '2026-11-23T23:00:00.000Z'],
    ['2026-11-24 09:00', '2026-11-24T08:00:00.000Z'],
    ['2026-07-24T09:00', '2026-07-24T07:00:00.000Z'],
    ['2026-11-24T08:00Z', '2026-11-24T08:00:00.000Z'],
    ['2026-11-24T08:00:00.000Z', '2026-11-24T08:00:00.000Z'],
    ['2026-11-24T10:00+02:00', '2026-11-24T08:00:00.000Z'],
    // the day that summer time begins, an hour before and after
    ['2026-03-29 01:59', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29 03:00', '2026-03-29T01:00:00.000Z'],
  ])('%s is %s', (typed, instant) => {
    expect(parseTime(typed)).toBe(instant);
  });

  it.each([
    ['an hour that summer time leaves out', '2026-03-29 02:30'],
    ['no day of the calendar', '2026-02-30 09:00'],
    ['no hour of the day', '2026-11-24 24:30'],
    ['no date', '09:00'],
    ['a week', '2026-W10'],
    ['words', 'tomorrow'],
    ['nothing', ''],
  ])('is none: %s', (_, typed) => {
    expect(parseTime(typed)).toBeNull();
  });
});
