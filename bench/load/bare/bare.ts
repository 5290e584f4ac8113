import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { createTemporalClient } from '../../../src/temporal/connection.ts';
import type { bareLife } from './workflow.ts';

export interface Bare {
  /** Only starts it; nobody works on it. */
  start(): Promise<void>;
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
  const begin = (activities: number, taskQueue: string) =>
    client.workflow.start<typeof bareLife>('bareLife', {
      workflowId: `bare-${crypto.randomUUID()}`,
      taskQueue,
      args: [activities],
    });
  return {
    async start() {
      await begin(0, 'bare-and-alone');
    },
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
