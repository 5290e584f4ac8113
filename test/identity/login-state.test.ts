import { describe, expect, it } from '@jest/globals';
import { createSeal } from '../../src/identity/cookies.ts';
import { createLoginStates } from '../../src/identity/pending-logins.ts';
import { CASE_ID } from './eid-logins.ts';

const HOUR = 3_600_000;
const statesAfter = (hours: number, secrets: [string, ...string[]] = ['secret']) =>
  createLoginStates({ secrets, now: () => new Date(Date.parse('2026-03-03T10:00:00Z') + hours * HOUR) });

describe('the state of a login', () => {
  it('is another one each time, and tells the case to nobody but us', async () => {
    const [first, second] = [await statesAfter(0).issue(CASE_ID), await statesAfter(0).issue(CASE_ID)];
    expect(first).not.toBe(second);
    for (const part of first.split('.'))
      expect(Buffer.from(part, 'base64url').toString()).not.toContain(CASE_ID);
    expect(first.length).toBeLessThan(250);
    expect(await statesAfter(0).caseOf(first)).toBe(CASE_ID);
  });

  it('leads to its case for a day', async () => {
    const state = await statesAfter(0).issue(CASE_ID);
    expect(await statesAfter(23.9).caseOf(state)).toBe(CASE_ID);
    expect(await statesAfter(24.1).caseOf(state)).toBeNull();
  });

  it('leads nowhere where it is missing, altered, or sealed for something else or with another secret', async () => {
    const state = await statesAfter(0).issue(CASE_ID);
    const other = createSeal({ secrets: ['secret'], purpose: 'login', maxAgeSeconds: 60 });
    for (const bad of [null, '', 'x', state.slice(1), await other.seal(CASE_ID)])
      expect(await statesAfter(0).caseOf(bad)).toBeNull();
    expect(await statesAfter(0, ['another']).caseOf(state)).toBeNull();
    expect(await statesAfter(0, ['another', 'secret']).caseOf(state)).toBe(CASE_ID);
  });
});
