import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { quietRuntime } from '../../../test/support/quiet-runtime.ts';

/** A worker for bare workflows, as a process of its own. Its parent is told when it takes work. */
quietRuntime();
const [address = '', taskQueue = ''] = process.argv.slice(2);
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('workflow.ts', import.meta.url)),
  activities: { nothing: async () => undefined },
  maxCachedWorkflows: 1_000,
});
process.on('disconnect', () => worker.shutdown());
process.send?.('ready');
await worker.run();
await connection.close();
