import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { SEARCH_ATTRIBUTES } from '../../dev/temporal/server.ts';
import { connectDevServer } from './dev-server.ts';

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
