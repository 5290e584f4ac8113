import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { waitThirtyDays } from './fixtures/thirty-days.ts';
import { createTimeSkippingEnvironment } from './time-skipping.ts';

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
