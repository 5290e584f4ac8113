import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { sql } from 'slonik';
import { z } from 'zod';
import { createClient } from '../src/operator/command-line/client.ts';
import type { Failure } from '../src/operator/command-line/failure.ts';
import { breakGlassAuthorization } from '../src/identity/operators/break-glass.ts';
import type { CaseId } from '../src/domain/ids.ts';
import type { BulkKind } from '../src/domain/attention.ts';
import { createReconciliationRepository } from '../src/postgres/reconciliation.ts';
import { workflowIdOf } from '../workflows/contract.ts';
import { atOnce, line, onLoadGround } from './load/ground.ts';
import { cpuOfAll, processWith } from './load/process-costs.ts';
import { type Measured, type Row, timeOf } from './measure.ts';

const CASES = 150;
/** Steps of the workflow that sending a link again takes: the projection with the message on both channels. */
const STEPS = 1;
const AT_ONCE = 24;
const CORES = 2;
const nothing = z.object({});

/**
 * How many cases a second operators settle at once, held against what the SDK alone does of as much on the same Temporal
 * server in the same run. Beside it the processor time of each, which other work on this machine changes least: what two
 * cores that do nothing else would do a second follows from it.
 */
export const bulk = (): Promise<Measured> =>
  onLoadGround(
    async ({ bare, client, create, database, operatorSocket, servers, untilAtRest, workerPid }) => {
      const processes = {
        'operator API': processWith('src/main/operator-api.ts'),
        worker: workerPid,
        ...servers,
        'the bare worker': bare.workerPid,
      };
      /** @param untilDone what comes of it by itself: in its processor time, and not in how long it took */
      const measured = async (
        what: string,
        work: () => Promise<unknown>,
        untilDone: () => Promise<void> = async () => undefined,
      ): Promise<{ perSecond: number; rows: Row[] }> => {
        const before = Object.values(processes).map(cpuOfAll);
        const perSecond = (CASES * 1_000) / (await timeOf(work));
        await untilDone();
        const spent = Object.entries(processes).map(
          ([name, pid], i) => [name, (cpuOfAll(pid) - (before[i] ?? 0)) / CASES] as const,
        );
        const all = spent.reduce((sum, [, ms]) => sum + ms, 0);
        const rows = [
          line(`${what}, a second`, perSecond),
          ...spent
            .filter(([, ms]) => ms >= 0.5)
            .map(([name, ms]) => line(`${what}: CPU each, ${name} (ms)`, ms)),
          line(`${what}: what ${CORES} cores of their own do a second`, (CORES * 1_000) / all),
        ];
        return { perSecond, rows };
      };

      const call = createClient({
        url: 'http://operator-api',
        socketPath: operatorSocket,
        authorization: async () => breakGlassAuthorization({ user: 'bench', reason: 'benchmark' }),
      });
      /** All that need it, in one command. */
      const settle = async (kind: BulkKind): Promise<() => Promise<void>> => {
        const { signal } = new AbortController();
        const send = (input: object) => call('/case/settle', { kind, ...input }, () => undefined, signal);
        const confirm = await send({}).then(
          () => null,
          (error: unknown) => (error as Failure).details['confirm'],
        );
        return async () => {
          const { result } = await send({ confirm });
          const { total, done } = result as { total: number; done: number };
          if (total !== CASES || done !== CASES) throw new Error(`${kind}: ${JSON.stringify(result)}`);
        };
      };

      const ids: CaseId[] = [];
      await atOnce(CASES, AT_ONCE, async () => void ids.push((await create()).id as CaseId));
      await untilAtRest();
      await atOnce(50, AT_ONCE, () => bare.live(STEPS));

      const lost = createReconciliationRepository(database);
      const waiting = [...ids];
      await atOnce(CASES, AT_ONCE, async () => {
        const id = waiting.pop();
        if (id === undefined) return;
        await client.workflow.getHandle(workflowIdOf(id)).terminate('benchmark');
        await lost.noteLost(id, 'terminated');
      });
      const bareStarts = await measured('bare workflows started', () =>
        atOnce(CASES, AT_ONCE, () => bare.begin()),
      );
      const restarts = await measured('cases restarted', await settle('workflow_lost'), () =>
        untilBegun(client, ids),
      );

      const bareLives = await measured('bare workflows with an update and a step', () =>
        atOnce(CASES, AT_ONCE, () => bare.live(STEPS)),
      );
      await database.query(sql.type(nothing)`
      INSERT INTO attention (kind, case_id, partner_id, case_created_at, cause, since)
      SELECT 'undeliverable', id, partner_id, created_at, id::text, now() FROM cases`);
      const resends = await measured('links sent again', await settle('undeliverable'), untilAtRest);
      const rows: Row[] = [
        ...[...restarts.rows, ...bareStarts.rows],
        line('restarted, as many as bare ones', restarts.perSecond / bareStarts.perSecond, 0.5),
        ...[...resends.rows, ...bareLives.rows],
        line('sent again, as many as bare ones', resends.perSecond / bareLives.perSecond, 1),
      ];
      return { rows, notes: [] };
    },
  );

/** Until the workflows have had their first task. Some of them are asked, for asking costs what is measured. */
async function untilBegun(client: Client, ids: readonly CaseId[]): Promise<void> {
  for (const id of ids.filter((_, i) => i % 10 === 0)) {
    const handle = client.workflow.getHandle(workflowIdOf(id));
    while ((await handle.describe()).historyLength < 4) await delay(100);
  }
}
