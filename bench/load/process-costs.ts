import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { childrenOf } from '../../test/support/own-process.ts';

/** Clock ticks of Linux a second, as programs see them: the same on all its machines. */
const TICKS = 100;

/** A child process of this one, by words of its command line. @param not any of these @throws when there is none */
export function processWith(words: string, not: readonly number[] = []): number {
  const found = childrenOf(process.pid).find(({ pid, args }) => args.includes(words) && !not.includes(pid));
  if (!found) throw new Error(`no process runs ${words}`);
  return found.pid;
}

/** The processor time that it has used, in milliseconds. Linux only. */
export const cpuOf = (pid: number): number => statusOf(pid)?.own ?? 0;

/** With all that it has begun, as PostgreSQL does a process for each connection: those that have ended count, too. */
export function cpuOfAll(pid: number): number {
  const there = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const all = there.flatMap((name) => ({ pid: Number(name), ...statusOf(Number(name)) }));
  const withChildren = (one: number): number =>
    all
      .filter(({ parent }) => parent === one)
      .reduce((sum, child) => sum + withChildren(child.pid), statusOf(one)?.withEnded ?? 0);
  return withChildren(pid);
}

/** Null for one that has ended just now; times in milliseconds. */
function statusOf(pid: number) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return null;
  // the name, in parentheses, can hold spaces
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  const ticks = (first: number, last: number) =>
    (fields.slice(first, last).reduce((sum, one) => sum + one, 0) * 1_000) / TICKS;
  // in user and system mode; and of its ended children
  return { parent: fields[1], own: ticks(11, 13), withEnded: ticks(11, 15) };
}

/** The memory that it has now, in MiB. Linux only. */
export function memoryOf(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1_024;
}
