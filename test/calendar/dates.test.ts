import { describe, expect, it } from '@jest/globals';
import { deadlineOn, parseTime } from '../../src/calendar/dates.ts';
import type { CalendarDate } from '../../src/domain/instant.ts';

describe('the last day to book is over at midnight in Norway', () => {
  it.each([
    ['in winter', '2026-11-24', '2026-11-24T23:00:00.000Z'],
    ['in summer', '2026-07-24', '2026-07-24T22:00:00.000Z'],
    ['before the night in which summer time begins', '2026-03-28', '2026-03-28T23:00:00.000Z'],
    ['when summer time has begun on it', '2026-03-29', '2026-03-29T22:00:00.000Z'],
    ['when summer time has ended on it', '2026-10-25', '2026-10-25T23:00:00.000Z'],
    ['at the end of a year', '2026-12-31', '2026-12-31T23:00:00.000Z'],
  ])('%s', (_, lastDay, passesAt) => {
    expect(deadlineOn(lastDay as CalendarDate).passesAt).toBe(passesAt);
  });
});

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
