import { readFileSync } from 'node:fs';
import { childrenOf } from '../../test/support/own-process.ts';

/** Clock ticks of Linux a second, as programs see them: the same on all its machines. */
const TICKS = 100;

/** A child process of this one, by words of its command line. @throws when there is none */
export function processWith(words: string): number {
  const found = childrenOf(process.pid).find(({ args }) => args.includes(words));
  if (!found) throw new Error(`no process runs ${words}`);
  return found.pid;
}

/** The processor time that it has used, in milliseconds. Linux only. */
export function cpuOf(pid: number): number {
  // the name, in parentheses, can hold spaces
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
}

/** The memory that it has now, in MiB. Linux only. */
export function memoryOf(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1_024;
}
