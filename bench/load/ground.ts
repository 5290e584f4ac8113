import type { Client } from '@temporalio/client';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Instant } from '../../src/domain/instant.ts';
import type { Database } from '../../src/postgres/database.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { confirmAsCustomer, createCase, type CreatedCase, untilAtRest } from '../measure-cases.ts';
import { type Row, timeOf } from '../measure.ts';
import { newPartner, onStack } from '../on-stack.ts';
import { type Bare, openBare } from './bare/bare.ts';
import { processWith } from './process-costs.ts';

/** The service under load, and the SDK alone beside it on the same Temporal server. */
export interface LoadGround {
  readonly database: Database;
  /** The operator API without a login. */
  readonly operatorSocket: string;
  readonly client: Client;
  /** Where the spans of all processes are. */
  readonly traces: string;
  readonly bare: Bare;
  readonly apiPid: number;
  readonly workerPid: number;
  /** Process ids of PostgreSQL and of Temporal, by what they are. */
  readonly servers: Readonly<Record<string, number>>;
  readonly create: (changes?: Readonly<Record<string, unknown>>) => Promise<CreatedCase>;
  /** Booked by its customer. @returns how long the confirm took (milliseconds) */
  readonly confirm: (one: CreatedCase) => Promise<number>;
  /** Handed over, and booked likewise. */
  readonly live: () => Promise<number>;
  readonly read: (caseId: string) => Promise<void>;
  readonly untilAtRest: () => Promise<void>;
  /** How many messages have left since then. */
  readonly told: (since: Instant) => Promise<number>;
  /** The time after which so large a share of what has left since then had left (seconds). */
  readonly toldWithin: (since: Instant, share: number) => Promise<number>;
  readonly count: () => Promise<number>;
  /** How many were answered with 201, and have no row or no workflow. */
  readonly lost: () => Promise<number>;
}

/** Each is good for 500 calls a minute. */
const KEYS = 60;

export const onLoadGround = <T>(work: (ground: LoadGround) => Promise<T>): Promise<T> =>
  onStack(async ({ api, database, operatorSocket, servers, temporalAddress, traces }) => {
    const { keys } = await newPartner(database, 0, KEYS);
    const bare = await openBare(temporalAddress);
    const client = createTemporalClient({ address: temporalAddress, namespace: 'default' });
    let calls = 0;
    let created = 0;
    const key = () => keys[calls++ % KEYS] ?? '';
    const create: LoadGround['create'] = async (changes) => {
      const one = await createCase(api, key(), changes);
      created += 1;
      return one;
    };
    const confirm: LoadGround['confirm'] = (one) => confirmAsCustomer(api, one);
    try {
      return await work({
        ...{ bare, client, confirm, database, operatorSocket, servers, traces },
        apiPid: processWith('src/main/api.ts'),
        workerPid: processWith('src/main/worker.ts'),
        create,
        live: async () => confirm(await create()),
        async read(caseId) {
          const response = await fetch(`${api}/cases/${caseId}`, { headers: { 'x-api-key': key() } });
          if (response.status !== 200) throw new Error(`read answered ${response.status}`);
          await response.arrayBuffer();
        },
        untilAtRest: () => untilAtRest(database),
        told: (since) =>
          database.oneFirst(sql.type(z.object({ n: z.number() }))`
            SELECT count(*) AS n FROM notifications WHERE at > ${since} AND status IN ('sent', 'delivered')`),
        toldWithin: (since, share) =>
          database.oneFirst(sql.type(z.object({ seconds: z.number() }))`
            SELECT extract(epoch FROM percentile_disc(${share}::float) WITHIN GROUP (ORDER BY at) - ${since}::timestamptz)::float AS seconds
            FROM notifications WHERE at > ${since}`),
        count: () => countCases(database),
        async lost() {
          const workflows = await client.workflow.count(`WorkflowType = 'treatmentCase'`);
          return created - Math.min(await countCases(database), workflows.count);
        },
      });
    } finally {
      await client.connection.close();
      await bare.stop();
    }
  });

const countCases = (database: Database): Promise<number> =>
  database.oneFirst(sql.type(z.object({ n: z.number() }))`SELECT count(*) AS n FROM cases`);

export async function atOnce(times: number, inFlight: number, work: () => Promise<unknown>): Promise<void> {
  let left = times;
  const takeTurns = async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, takeTurns));
}

/** @param untilDone what belongs to the work, and comes of it by itself @returns how many a second */
export async function rateOf(
  times: number,
  inFlight: number,
  work: () => Promise<unknown>,
  untilDone: () => Promise<void> = async () => undefined,
): Promise<number> {
  const took = await timeOf(async () => {
    await atOnce(times, inFlight, work);
    await untilDone();
  });
  return (times * 1_000) / took;
}

export const atMost = (what: string, value: number, most: number): Row => ({
  ...line(what, value),
  goal: `≤ ${most}`,
  met: value <= most,
});

export const line = (what: string, value: number, atLeast?: number): Row => ({
  what,
  value: Math.round(value * 100) / 100,
  goal: atLeast === undefined ? '–' : `≥ ${atLeast}`,
  met: atLeast === undefined ? '–' : value >= atLeast,
});
