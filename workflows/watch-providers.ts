import { sleep } from '@temporalio/workflow';
import type { Discrepancies } from '../activities/contract.ts';
import { providersToWatch, sweepSlots, watchAppointments } from './activity-proxies.ts';

/** Long enough for a calendar that is just being changed, or read from a copy that lags, to come to rest. */
const RECHECK_DELAY = '90s';
/** They share the worker with customers who wait for a confirmation. */
const CONCURRENCY = 20;

/**
 * Checks every provider's calendar once: the cases are told what its staff changed, and what we left there and no case
 * wants is released. It decides nothing about a case; each case's own workflow does.
 */
export async function watchProviders(): Promise<void> {
  const providers = await providersToWatch();
  const checks = [watchAppointments, sweepSlots].flatMap((check) =>
    providers.map((providerId) => () => checkTwice((discrepancies) => check({ providerId, discrepancies }))),
  );
  const takeTurns = async () => {
    for (let next = checks.shift(); next; next = checks.shift()) await next();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, takeTurns));
}

/** What a check could not explain is checked once more before anything is done about it. A failure is this provider's alone. */
async function checkTwice(check: (found: Discrepancies | null) => Promise<Discrepancies>): Promise<void> {
  try {
    const found = await check(null);
    if (found.length === 0) return;
    await sleep(RECHECK_DELAY, { summary: 'Recheck discrepancies' });
    await check(found);
  } catch {
    // Noted among the provider's findings; the next run checks again.
  }
}
