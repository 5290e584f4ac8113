import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../src/postgres/database.ts';
import { logIn } from '../test/stories/log-in.ts';
import { inDays } from '../test/stories/world.ts';
import { openBrowser } from '../test/support/browser.ts';
import { row, steadily, timeOf, timesAsLong, type Measured } from './measure.ts';
import { healthCheck, newPartner, onStack } from './on-stack.ts';

const CREATES_A_SECOND = 20;
const SECONDS = 30;
const PARTNERS = 6;
/** Fewer than the 50 logins that one address has in 15 minutes. */
const CUSTOMERS = 30;

/**
 * The spine's promises about time: creates at a steady pace over several partners, how soon their workflows are started,
 * and confirms.
 */
export const spine = (): Promise<Measured> =>
  onStack(async ({ api, web, database }) => {
    const partners = await Promise.all(Array.from({ length: PARTNERS }, (_, i) => newPartner(database, i)));
    const keys = partners.flatMap((partner) => partner.keys);
    const create = (i: number) => createCase(api, keys[i % keys.length] ?? '');
    const health = () => healthCheck(web);

    await steadily(5, 20, create);
    await steadily(5, 20, health);
    const baseline = await steadily(SECONDS / 3, CREATES_A_SECOND, health);
    const creates = await steadily(SECONDS, CREATES_A_SECOND, create);
    await untilAtRest(database);
    const starts = await startDelays(database);
    const confirms: number[] = [];
    for (let i = 0; i < CUSTOMERS; i++) confirms.push(await timeOfConfirm(api, i, await create(i)));

    return {
      rows: [
        row('health check (baseline)', baseline),
        row('create answered', creates, { median: 15 }),
        row('workflow started after', starts, { median: 2_000, p99: 2_000 }),
        row('confirm answered', confirms, { median: 1_000, p99: 1_000 }),
      ],
      notes: [timesAsLong(['a create', creates], ['a health check', baseline])],
    };
  });

async function createCase(api: string, key: string): Promise<{ id: string; bookingUrl: string }> {
  const response = await fetch(`${api}/cases`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      partnerCaseId: crypto.randomUUID(),
      patientFirstName: 'Kari',
      patientLastName: 'Nordmann',
      patientEmail: 'kari.nordmann@example.com',
      patientPhone: '+4790000000',
      injuryDate: '2026-10-01',
      injuryDescription: 'Fall on ice',
      treatmentType: 'psychology',
      bookingDeadline: inDays(20),
    }),
  });
  if (response.status !== 201)
    throw new Error(`create answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as { id: string; bookingUrl: string };
}

/** Until every case is started and has sent its messages, so that what is measured next stands for itself. */
async function untilAtRest(on: Database): Promise<void> {
  const underWay = () =>
    on.oneFirst(sql.type(z.object({ n: z.number() }))`
      SELECT 2 * count(*) - (SELECT count(*) FROM notifications WHERE status IN ('sent', 'delivered')) AS n FROM cases`);
  while ((await underWay()) > 0) await delay(100);
}

const startDelays = (on: Database): Promise<readonly number[]> =>
  on.anyFirst(sql.type(z.object({ ms: z.coerce.number() }))`
    SELECT extract(epoch FROM workflow_started_at - created_at) * 1000 AS ms FROM cases`);

/** A customer logs in, looks at the times, and confirms one that nobody else wants; only that is timed. */
async function timeOfConfirm(
  api: string,
  i: number,
  { id, bookingUrl }: { id: string; bookingUrl: string },
): Promise<number> {
  const browser = openBrowser();
  await logIn(browser, bookingUrl, { givenName: 'Kari', familyName: 'Nordmann' });
  const { slots } = (await browser.json('GET', `${api}/booking/${id}/availability`)).body;
  return timeOf(async () => {
    const { status, body } = await browser.json('POST', `${api}/booking/${id}/confirm`, {
      slotId: slots[i].slotId,
    });
    if (status !== 200) throw new Error(`confirm answered ${status}: ${JSON.stringify(body)}`);
  });
}
