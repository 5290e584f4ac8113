import { relative } from 'node:path';

/**
 * Loaded before anything else in a process of the runner. jest-light-runner 0.8.2 hands its settings to all processes
 * as soon as the first one asks for them, and to none that asks later: who is slower to start would wait for ever. So
 * they are kept here until they are asked for.
 */
const ASKED = 'jest-light-runner-get-worker-data';
const GIVEN = 'jest-light-runner-worker-data';

let given: object | null = null;
process.on('message', (message: unknown) => {
  if (typeof message === 'object' && message !== null && 'type' in message && message.type === GIVEN)
    given = message;
});

const send = process.send?.bind(process) as ((message: unknown, ...more: unknown[]) => boolean) | undefined;
process.send = (message: unknown, ...more: unknown[]) => {
  if (message !== ASKED || given === null) return send?.(message, ...more) ?? false;
  process.emit('message', given, undefined);
  return true;
};

if (process.env['TEST_CPU']) tellCpu();

/**
 * `TEST_CPU=1 npm test` says of each suite how many seconds of CPU its process took, without the servers that all share:
 * what counts, since the suites together keep every core busy. Tinypool tells a process by message which file to run,
 * and answers by another when it has.
 */
function tellCpu(): void {
  let begun: { readonly file: string; readonly at: NodeJS.CpuUsage } | null = null;
  process.on('message', (message: { readonly source?: unknown; readonly task?: unknown }) => {
    if (message.source === 'port' && typeof message.task === 'string')
      begun = { file: relative(process.cwd(), message.task), at: process.cpuUsage() };
  });
  const send = process.send?.bind(process) as ((message: unknown, ...more: unknown[]) => boolean) | undefined;
  process.send = (message: { readonly source?: unknown }, ...more: unknown[]) => {
    if (message.source === 'port' && begun) {
      const { user, system } = process.cpuUsage(begun.at);
      process.stderr.write(`${((user + system) / 1e6).toFixed(1).padStart(6)} s CPU ${begun.file}\n`);
      begun = null;
    }
    return send?.(message, ...more) ?? false;
  };
}
