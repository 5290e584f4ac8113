import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import pg from 'pg';
import { SEARCH_ATTRIBUTES } from '../../dev/temporal/server.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { connectDevServer } from './dev-server.ts';
import type { waitThirtyDays } from './fixtures/thirty-days.ts';
import { createTimeSkippingEnvironment } from './time-skipping.ts';

describe('a test database', () => {
  let mine: TestDatabase;
  beforeAll(async () => {
    mine = await createTestDatabase();
  });
  afterAll(() => mine.drop());

  it('has the migrations, and what one suite writes no other sees', async () => {
    const other = await createTestDatabase();
    try {
      await query(mine.url, 'CREATE TABLE only_mine (id int)');
      const [table] = await query(
        other.url,
        "SELECT to_regclass('only_mine') AS found, to_regclass('migrations') AS migrations",
      );
      expect(table).toEqual({ found: null, migrations: 'migrations' });
    } finally {
      await other.drop();
    }
  });

  it('can be dropped while somebody is connected', async () => {
    const other = await createTestDatabase();
    const client = new pg.Client({ connectionString: other.url });
    client.on('error', () => undefined);
    await client.connect();
    await other.drop();
    await expect(client.query('SELECT 1')).rejects.toThrow();
  });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}

describe('the Temporal dev server of a test run', () => {
  let server: TestWorkflowEnvironment;
  beforeAll(async () => {
    server = await connectDevServer();
  });
  afterAll(() => server.teardown());

  it('knows what operators search cases by', async () => {
    const { customAttributes } = await server.connection.operatorService.listSearchAttributes({
      namespace: 'default',
    });
    expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTES)));
  });
});

const CASE_STATUS = defineSearchAttributeKey('CaseStatus', SearchAttributeType.KEYWORD);

describe('the time-skipping environment', () => {
  let environment: TestWorkflowEnvironment;
  beforeAll(async () => {
    environment = await createTimeSkippingEnvironment();
  });
  afterAll(() => environment.teardown());

  it('runs a workflow through a timer of 30 days in seconds, with our search attributes', async () => {
    const worker = await Worker.create({
      connection: environment.nativeConnection,
      taskQueue: 'thirty-days',
      workflowsPath: fileURLToPath(new URL('./fixtures/thirty-days.ts', import.meta.url)),
    });
    const before = await environment.currentTimeMs();
    const result = await worker.runUntil(
      environment.client.workflow.execute<typeof waitThirtyDays>('waitThirtyDays', {
        taskQueue: 'thirty-days',
        workflowId: 'thirty-days',
        workflowExecutionTimeout: '60 days',
        typedSearchAttributes: [{ key: CASE_STATUS, value: 'booked' }],
      }),
    );
    expect(result).toBe('a month later');
    expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(30 * 24 * 3600 * 1000);
  });
});
