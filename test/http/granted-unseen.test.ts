import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { workflowIdOf } from '../../workflows/contract.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import type { Reply } from '../support/caller.ts';
import { logIn, type Customer } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { today } from '../support/new-case.ts';
import { partnersCases, refusalOf } from '../support/partners-cases.ts';
import { runningServers } from '../support/running-servers.ts';
import { startService, type TestService } from '../support/service.ts';

/** Every reader of a case looks into this table, and what writes the workflow's state down does not. */
const READ_ONLY_BY_READERS = 'case_verifications';

describe('a wish that is granted while PostgreSQL goes away', () => {
  let service: TestService;
  let client: Client;
  let operator: pg.Client;
  beforeAll(async () => {
    service = await startService({ eid: true, clinics: ['fjordklinikken'] });
    const connection = await Connection.connect({ address: runningServers().temporalAddress });
    client = new Client({ connection });
    operator = new pg.Client({ connectionString: service.databaseUrl });
    await operator.connect();
  });
  afterAll(async () => {
    await operator.end();
    await client.connection.close();
    await service.stop();
  });

  const { create, read } = partnersCases(() => service);

  /** Has nobody read cases from when the workflow was asked until the answer is there. */
  const unseen = async (id: string, ask: () => Promise<Reply<unknown>>): Promise<Reply<unknown>> => {
    const asked = ask();
    let isAnswered = false;
    void asked.finally(() => (isAnswered = true));
    // the API starts the workflow of a case that has none, after its own last look
    const handle = client.workflow.getHandle(workflowIdOf(id as CaseId));
    await eventually(() => handle.describe().catch(() => null), { what: 'the workflow was asked' });
    await operator.query('BEGIN');
    await operator.query(`LOCK TABLE ${READ_ONLY_BY_READERS} IN ACCESS EXCLUSIVE MODE`);
    const worker = await service.work();
    try {
      await eventually(
        async () => {
          await operator.query(`
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`);
          return isAnswered;
        },
        { what: 'the API answers', withinMs: 30_000 },
      );
    } finally {
      await operator.query('ROLLBACK');
      await worker.stop();
    }
    return asked;
  };

  it.each<[string, (id: string, customer: Customer) => Promise<() => Promise<Reply<unknown>>>, object]>([
    ['a recall', async (id) => () => service.partner.post(`/cases/${id}/recall`), { status: 'recalled' }],
    [
      'a deadline that moves',
      async (id) => () => service.partner.patch(`/cases/${id}`, { bookingDeadline: today(30) }),
      { bookingDeadline: today(30) },
    ],
    [
      'a confirm',
      async (_, customer) => {
        const slot = await customer.freshSlot();
        return () => customer.confirm(slot);
      },
      { status: 'booked' },
    ],
  ])('is not said to have been without effect: %s', async (_, prepare, effect) => {
    const { id } = await create();
    const ask = await prepare(id, await logIn(service, id));
    const reply = await unseen(id, ask);
    expect(refusalOf(reply)).toMatchObject({ http: 500, code: 'OUTCOME_UNKNOWN' });
    expect(Number(reply.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await read(id)).toMatchObject(effect);
  });
});
