import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@temporalio/client';
import { pickPort } from '../../dev/ports.ts';
import { findTemporalCli } from '../../dev/temporal/find-cli.ts';
import { downloadWithSdk, SDK_FILES } from '../../dev/temporal/sdk-download.ts';
import {
  type RunningTemporal,
  startTemporal,
  type TemporalOptions,
  withConnection,
} from '../../dev/temporal/server.ts';

const quiet = () => undefined;

describe('the Temporal server', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-temporal-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const start = async (options: Partial<TemporalOptions> = {}) =>
    startTemporal({ storage: 'memory', port: (await pickPort()).port, log: quiet, ...options });

  const using = <T>({ address }: RunningTemporal, ask: (client: Client) => Promise<T>) =>
    withConnection(address, 2_000, (connection) => ask(new Client({ connection })));

  it('goes on with its file, shows it in the Web UI, and is gone when stopped', async () => {
    const dbFile = join(directory, 'temporal.db');
    const first = await start({ storage: { dbFile } });
    await using(first, (client) =>
      client.workflow.start('treatmentCase', { taskQueue: 'nobody', workflowId: 'case-1', args: [] }),
    );
    await first.stop();
    await expect(withConnection(first.address, 300, async () => 'answers')).rejects.toThrow();

    const second = await start({ storage: { dbFile }, uiPort: (await pickPort()).port });
    const { status } = await using(second, (client) => client.workflow.getHandle('case-1').describe());
    expect(status.name).toBe('RUNNING');
    expect((await fetch(second.uiUrl ?? '')).status).toBe(200);
    await second.stop();
  });

  it('does not take another server on its port for its own', async () => {
    const other = await start();
    const port = Number(other.address.split(':')[1]);
    await expect(start({ port })).rejects.toThrow(/the Temporal server ended with exit code 1/);
    await other.stop();
  });

  it('says so when something else is on its port', async () => {
    const { port } = await pickPort();
    const squatter = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
    await expect(start({ port })).rejects.toThrow(/the Temporal server ended with exit code 1/);
    squatter.close();
  });

  it('is the one at TEMPORAL_ADDRESS when that is set: it gets our search attributes and is left running', async () => {
    const theirs = await start({ searchAttributes: { CaseStatus: 'Keyword' } });
    process.env.TEMPORAL_ADDRESS = theirs.address;
    try {
      const ours = await start();
      expect(ours).toMatchObject({ address: theirs.address, uiUrl: undefined });
      await ours.stop();
    } finally {
      delete process.env.TEMPORAL_ADDRESS;
    }
    const attributes = await withConnection(theirs.address, 2_000, ({ operatorService }) =>
      operatorService.listSearchAttributes({ namespace: 'default' }),
    );
    expect(attributes.customAttributes).toMatchObject({
      CaseStatus: 2,
      BookingDeadline: 6,
      NeedsAttention: 2,
    });
    await theirs.stop();
  });

  it('says so when nobody answers at TEMPORAL_ADDRESS', async () => {
    process.env.TEMPORAL_ADDRESS = '127.0.0.1:1';
    try {
      await expect(start()).rejects.toThrow("TEMPORAL_ADDRESS is 127.0.0.1:1, which doesn't serve");
    } finally {
      delete process.env.TEMPORAL_ADDRESS;
    }
  });
});

describe("finding Temporal's command line", () => {
  let directory: string;
  let cli: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-cli-'));
    cli = join(directory, 'temporal');
    await writeFile(cli, '#!/bin/sh\n', { mode: 0o755 });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('takes the one that TEMPORAL_CLI_PATH names, and complains when that can not be run', async () => {
    expect(await findTemporalCli(quiet, { TEMPORAL_CLI_PATH: cli, PATH: '/nowhere' })).toBe(cli);
    const missing = findTemporalCli(quiet, { TEMPORAL_CLI_PATH: '/nowhere/temporal', PATH: directory });
    await expect(missing).rejects.toThrow("TEMPORAL_CLI_PATH is /nowhere/temporal, which can't be run");
  });

  it('takes the one on the PATH before the one in the cache', async () => {
    expect(await findTemporalCli(quiet, { PATH: `/nowhere:${directory}` })).toBe(cli);
  });

  it('gives up on a download that does not begin in time', async () => {
    const outcome = await downloadWithSdk('dev-server', join(directory, 'downloads'), { connectMs: 0 });
    expect(outcome).toEqual({ reason: 'no answer from temporal.download in time' });
  });

  it("knows the files that the SDK's download leaves", () => {
    const sdk = createRequire(import.meta.url)('@temporalio/testing/package.json') as { version: string };
    for (const file of Object.values(SDK_FILES)) expect(file).toContain(`sdk-typescript-${sdk.version}`);
  });
});
