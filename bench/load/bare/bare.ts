import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { createTemporalClient } from '../../../src/temporal/connection.ts';
import type { bareLife, bareStart } from './workflow.ts';

export interface Bare {
  /** Only starts it; nobody works on it. */
  start(): Promise<void>;
  /** Starts it, and has the worker do its first and only task. */
  begin(): Promise<void>;
  /** Its whole life, with so many activities. */
  live(activities: number): Promise<void>;
  readonly workerPid: number;
  stop(): Promise<void>;
}

/** The SDK without this service, on the same server: what its numbers are held against. */
export async function openBare(address: string): Promise<Bare> {
  const client: Client = createTemporalClient({ address, namespace: 'default' });
  const worker = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [address, 'bare']);
  await once(worker, 'message');
  const newId = () => `bare-${crypto.randomUUID()}`;
  const begin = (activities: number, taskQueue: string) =>
    client.workflow.start<typeof bareLife>('bareLife', {
      workflowId: newId(),
      taskQueue,
      args: [activities],
    });
  return {
    async start() {
      await begin(0, 'bare-and-alone');
    },
    begin: () =>
      client.workflow.execute<typeof bareStart>('bareStart', {
        workflowId: newId(),
        taskQueue: 'bare',
        args: [],
      }),
    async live(activities) {
      const handle = await begin(activities, 'bare');
      await handle.executeUpdate('finish');
      await handle.result();
    },
    workerPid: worker.pid ?? 0,
    async stop() {
      worker.disconnect();
      await once(worker, 'exit');
      await client.connection.close();
    },
  };
}
