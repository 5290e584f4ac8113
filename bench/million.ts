import { sweepAttention } from '../src/postgres/attention.ts';
import { refreshAlerts } from '../src/postgres/alerts.ts';
import { createAsPartner } from '../src/postgres/as-partner.ts';
import { listRegisteredProviders } from '../src/postgres/providers.ts';
import { asRole } from '../dev/postgres/server.ts';
import { openTestDatabase } from '../test/support/database.ts';
import { everyQuery } from '../test/support/every-query.ts';
import { atAMillion } from './at-a-million.ts';
import { type Measured, row, timeOf } from './measure.ts';

const TIMES = 20;
/** Of what somebody waits for (milliseconds). */
const GOAL = 50;

/** Everything that partners, customers and operators ask of a million open cases, and what jobs do, one at a time. */
export const million = (): Promise<Measured> =>
  atAMillion(async (database, url) => {
    const rows = [];
    const jobs = {
      'job: the sweep, each 15 s': () => sweepAttention(database),
      'job: the alerts, each 15 s': () => refreshAlerts(database, ['mail', 'webhook']),
      'operator: all clinics': () => listRegisteredProviders(database),
    };
    const { partnerId, queries } = await everyQuery(database);
    const partners = await openTestDatabase(asRole(url, 'booking_partner'));
    const asPartner = createAsPartner(partners, database)(partnerId);
    for (const [name, ask] of [...Object.entries(queries), ...Object.entries(jobs)]) {
      const asked = name.startsWith('partner: ') ? asPartner : database;
      await ask(asked);
      const times: number[] = [];
      for (let i = 0; i < TIMES; i += 1) times.push(await timeOf(() => ask(asked)));
      rows.push(row(name, times, name.startsWith('job') ? {} : { median: GOAL }));
    }
    await partners.end();
    const { rss } = process.memoryUsage();
    return { rows, notes: [`this process has ${Math.round(rss / 1e6)} MB after all of them`] };
  });
