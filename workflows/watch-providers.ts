import { sleep } from '@temporalio/workflow';
import type { Discrepancies } from '../activities/index.ts';
import { providersToWatch, sweepSlots, watchAppointments } from './activity-proxies.ts';

/** Long enough for a calendar that is just being changed, or read from a copy that lags, to come to rest. */
const RECHECK_DELAY = '90s';
/** Looks at a time: they share the worker with customers who wait for a confirmation. */
const CONCURRENCY = 20;

/**
 * Looks once at every provider's calendar: what its staff changed is told to the cases, and what we left there and no
 * case wants is let go. It decides nothing about a case; each case's own workflow does.
 */
export async function watchProviders(): Promise<void> {
  const providers = await providersToWatch();
  const looks = [watchAppointments, sweepSlots].flatMap((look) =>
    providers.map((providerId) => () => checkTwice((doubted) => look({ providerId, doubted }))),
  );
  const takeTurns = async () => {
    for (let next = looks.shift(); next; next = looks.shift()) await next();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, takeTurns));
}

/** What a look could not explain is looked at once more before anything is done about it. A failure is this provider's alone. */
async function checkTwice(look: (doubted: Discrepancies | null) => Promise<Discrepancies>): Promise<void> {
  try {
    const doubted = await look(null);
    if (doubted.length === 0) return;
    await sleep(RECHECK_DELAY, { summary: 'Look again at what was not as expected' });
    await look(doubted);
  } catch {
    // Noted among the provider's findings; the next run looks again.
  }
}
