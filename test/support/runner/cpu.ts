import { relative } from 'node:path';

/**
 * `TEST_CPU=1 npm test` says of each suite how many seconds of CPU its process took, without the servers that all share:
 * what counts, since the suites together keep every core busy. Tinypool tells a process by message which file to run,
 * and answers by another when it has.
 */
export function tellCpu(): void {
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
