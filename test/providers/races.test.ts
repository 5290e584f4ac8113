import { describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '../support/database.ts';
import { race } from './races.ts';
import { SERVERS } from './races-plan.ts';
import { onTrack } from './races-track.ts';
import { noViolations } from './races-count.ts';

const CONTESTS = 40;

describe('cases that meet over slots, at clinics in trouble', () => {
  it('never end with two appointments over one hour, nor with an hour that is blocked for nobody', async () => {
    const { violations, outcomes, contests, faultsMet } = await onTrack(await createTestDatabase(), (track) =>
      race({ ...track, seed: 3, contests: CONTESTS }),
    );
    expect(violations).toEqual(noViolations());
    // and it was no walk: there were winners, losers and troubles
    expect(contests).toEqual({
      'two cases, one slot': CONTESTS,
      'one case, two slots': CONTESTS,
      // not where there are no versions
      'strangers, one slot': (CONTESTS * (SERVERS.length - 1)) / SERVERS.length,
      'the receptionist, one slot': CONTESTS,
    });
    expect(outcomes.booked).toBeGreaterThan(CONTESTS);
    expect(outcomes.taken).toBeGreaterThan(CONTESTS);
    expect(outcomes['at the desk']).toBeGreaterThan(0);
    expect(faultsMet).toBeGreaterThan(CONTESTS / 3);
  });
});
