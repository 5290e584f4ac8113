import { sleep } from '@temporalio/workflow';
import type { Discrepancies } from '../activities/contract.ts';
import type { ProviderId } from '../src/domain/ids.ts';
import { providersToWatch, sweepSlots, watchAppointments } from './activity-proxies.ts';

/** Long enough for a calendar that is just being changed, or read from a copy that lags, to come to rest. */
const RECHECK_DELAY = '90s';
/** Providers at a time: their checks share the worker with customers who wait for a confirmation. */
const CONCURRENCY = 20;

/**
 * Checks every provider's calendar once: the cases are told what its staff changed, and what we left there and no case
 * wants is released. It decides nothing about a case; each case's own workflow does.
 */
export async function watchProviders(): Promise<void> {
  const providers = [...(await providersToWatch())];
  const takeTurns = async () => {
    for (let next = providers.shift(); next !== undefined; next = providers.shift()) await checkTwice(next);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, takeTurns));
}

/**
 * One check after the other: a small calendar server that is asked for two things at once answers neither in time. What
 * they could not explain is checked once more before anything is done about it.
 */
async function checkTwice(providerId: ProviderId): Promise<void> {
  const doubtful: { check: typeof watchAppointments; discrepancies: Discrepancies }[] = [];
  for (const check of [watchAppointments, sweepSlots]) {
    const discrepancies = await attempt(() => check({ providerId, discrepancies: null }));
    if (discrepancies.length > 0) doubtful.push({ check, discrepancies });
  }
  if (doubtful.length === 0) return;
  await sleep(RECHECK_DELAY, { summary: 'Recheck discrepancies' });
  for (const { check, discrepancies } of doubtful) await attempt(() => check({ providerId, discrepancies }));
}

/** A failure is this provider's alone: it is noted among its findings, and the next run checks again. */
const attempt = (check: () => Promise<Discrepancies>): Promise<Discrepancies> => check().catch(() => []);
