import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../src/postgres/database.ts';
import { confirmAsCustomer, createCase, untilAtRest } from './measure-cases.ts';
import { row, steadily, timesAsLong, type Measured } from './measure.ts';
import { healthCheck, newPartner, onStack } from './on-stack.ts';

const CREATES_A_SECOND = 20;
const SECONDS = 30;
const PARTNERS = 6;
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
    for (let i = 0; i < CUSTOMERS; i++) confirms.push(await confirmAsCustomer(api, await create(i)));

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

const startDelays = (on: Database): Promise<readonly number[]> =>
  on.anyFirst(sql.type(z.object({ ms: z.coerce.number() }))`
    SELECT extract(epoch FROM workflow_started_at - created_at) * 1000 AS ms FROM cases`);
