/** Run by sdk-download.ts: starting a server once is the only way to make the SDK download it. */
import { TestWorkflowEnvironment } from '@temporalio/testing';
const [server, downloadDir] = process.argv.slice(2);
if (downloadDir === undefined)
  throw new Error('usage: sdk-download-process.ts dev-server|time-skipping DIRECTORY');
const options = { server: { executable: { type: 'cached-download' as const, downloadDir } } };
try {
  const environment =
    server === 'time-skipping'
      ? await TestWorkflowEnvironment.createTimeSkipping(options)
      : await TestWorkflowEnvironment.createLocal(options);
  await environment.teardown();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
