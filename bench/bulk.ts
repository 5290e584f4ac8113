import { sql } from 'slonik';
import { z } from 'zod';
import { createClient } from '../src/operator/command-line/client.ts';
import type { Failure } from '../src/operator/command-line/failure.ts';
import { breakGlassAuthorization } from '../src/identity/operators/break-glass.ts';
import type { CaseId } from '../src/domain/ids.ts';
import type { BulkKind } from '../src/domain/attention.ts';
import { createReconciliationRepository } from '../src/postgres/reconciliation.ts';
import { workflowIdOf } from '../workflows/contract.ts';
import { atOnce, line, onLoadGround, rateOf } from './load/ground.ts';
import { cpuOf, processWith } from './load/process-costs.ts';
import type { Measured, Row } from './measure.ts';

const CASES = 150;
/** Steps of the workflow that sending a link again takes: the projection, a mail and an SMS. */
const STEPS = 3;
const AT_ONCE = 24;

const PROCESSES = {
  'operator API': 'src/main/operator-api.ts',
  worker: 'src/main/worker.ts',
  Temporal: 'server start-dev',
};
const nothing = z.object({});

/**
 * How many cases a second operators settle at once, held against what the SDK alone does of as many steps on the same
 * Temporal server in the same run.
 */
export const bulk = (): Promise<Measured> =>
  onLoadGround(async ({ bare, client, create, database, operatorSocket, untilAtRest }) => {
    const call = createClient({
      url: 'http://operator-api',
      socketPath: operatorSocket,
      authorization: async () => breakGlassAuthorization({ user: 'bench', reason: 'benchmark' }),
    });
    const ids: CaseId[] = [];
    await atOnce(CASES, AT_ONCE, async () => void ids.push((await create()).id as CaseId));
    await untilAtRest();
    await atOnce(50, AT_ONCE, () => bare.live(STEPS));

    /** All that need it, in one command. @returns how many a second, and the processor time that one takes (ms) */
    const settle = async (kind: BulkKind): Promise<{ perSecond: number; rows: Row[] }> => {
      const { signal } = new AbortController();
      const send = (input: object) => call('/case/settle', { kind, ...input }, () => undefined, signal);
      const confirm = await send({}).then(
        () => null,
        (error: unknown) => (error as Failure).details['confirm'],
      );
      const before = Object.values(PROCESSES).map((words) => cpuOf(processWith(words)));
      const begun = performance.now();
      const { result } = await send({ confirm });
      const perSecond = (CASES * 1_000) / (performance.now() - begun);
      const rows = Object.entries(PROCESSES).map(([name, words], i) =>
        line(`${kind}: CPU a case, ${name} (ms)`, (cpuOf(processWith(words)) - (before[i] ?? 0)) / CASES),
      );
      const { total, done } = result as { total: number; done: number };
      if (total !== CASES || done !== CASES) throw new Error(`${kind}: ${JSON.stringify(result)}`);
      return { perSecond, rows };
    };

    const lost = createReconciliationRepository(database);
    const waiting = [...ids];
    await atOnce(CASES, AT_ONCE, async () => {
      const id = waiting.pop();
      if (id === undefined) return;
      await client.workflow.getHandle(workflowIdOf(id)).terminate('benchmark');
      await lost.noteLost(id, 'terminated');
    });
    const bareStarts = await rateOf(CASES, AT_ONCE, () => bare.start());
    const restarts = await settle('workflow_lost');
    await untilAtRest();

    const bareLives = await rateOf(CASES, AT_ONCE, () => bare.live(STEPS));
    await database.query(sql.type(nothing)`
      INSERT INTO attention (kind, case_id, cause, since)
      SELECT 'undeliverable', id, id::text, now() FROM cases`);
    const resends = await settle('undeliverable');
    const rows: Row[] = [
      line('cases restarted a second', restarts.perSecond),
      line('workflows that the bare SDK starts a second', bareStarts),
      line('as many as bare starts', restarts.perSecond / bareStarts, 0.5),
      ...restarts.rows,
      line('links sent again a second', resends.perSecond),
      line(`bare workflows with an update and ${STEPS} steps, a second`, bareLives),
      line('as many as bare ones', resends.perSecond / bareLives, 1),
      ...resends.rows,
    ];
    return { rows, notes: [] };
  });
