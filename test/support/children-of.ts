import { execFileSync } from 'node:child_process';

/** The processes that a process of this machine has begun, with their command lines. */
export function childrenOf(parent: number): { pid: number; args: string }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null && Number(match[2]) === parent)
    .map((match) => ({ pid: Number(match?.[1]), args: match?.[3] ?? '' }));
}
