import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import {
  type ClinicTrouble,
  type Fault,
  nameOf,
  type PlannedFault,
  type ProcessName,
  type WireName,
  type WireTrouble,
} from './plan.ts';
import { postgresTroubles } from './postgres-faults.ts';
import type { ChaosStack } from './stack.ts';

export interface InflictedFault {
  readonly fault: string;
  readonly planned: number;
  /** Since the run's begin (milliseconds). */
  readonly began: number;
  readonly ended: number;
  /** Why it could not be done; null when it was. */
  readonly failure: string | null;
}

/**
 * Inflicts each fault at its time. What is done to one process, wire or clinic is done one after the other; what is done
 * to different ones may meet.
 */
export async function runFaults(
  planned: readonly PlannedFault[],
  { inflict, since }: { inflict: (fault: Fault) => Promise<Ending>; since: number },
): Promise<InflictedFault[]> {
  const now = () => Date.now() - since;
  const inflictOne = async (fault: PlannedFault): Promise<InflictedFault> => {
    const began = now();
    const noted = { fault: nameOf(fault), planned: fault.at, began };
    try {
      const end = await inflict(fault);
      await delay(fault.lasts);
      await untilDone(end);
      return { ...noted, ended: now(), failure: null };
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      return { ...noted, ended: now(), failure };
    }
  };
  const lines = Map.groupBy(planned, (fault) => `${fault.kind === 'clinic' ? 'at ' : ''}${fault.of}`);
  const inflicted = await Promise.all(
    [...lines.values()].map(async (line) => {
      const done: InflictedFault[] = [];
      for (const fault of line) {
        await delay(Math.max(0, fault.at - now()));
        done.push(await inflictOne(fault));
      }
      return done;
    }),
  );
  return inflicted.flat().sort((one, other) => one.began - other.began);
}

const TRIES = 60;

/** No trouble may outlast its time because what it was done to happens to be away: it is tried again. */
async function untilDone(end: Ending): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await end();
      return;
    } catch (error) {
      if (attempt === TRIES) throw error;
      await delay(500);
    }
  }
}

/** Ends the trouble; must not throw because what it was done to has gone meanwhile. */
export type Ending = () => Promise<void>;

/** Long enough for a worker to bundle its workflows on a busy machine. */
const BACK_WITHIN = 60_000;
/** Milliseconds a piece. */
const SLOW_BY = 250;
const CLINIC_SLOW_BY = 3_000;

const BUSY = {
  mail: '421 4.3.2 Too busy, try again later\r\n',
  others:
    'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\nRetry-After: 1\r\n\r\n',
};

const CLINIC_FAULTS: Record<ClinicTrouble, object> = {
  '503': { effect: 'answer', status: 503 },
  '429': { effect: 'answer', status: 429, headers: { 'retry-after': '1' } },
  drops: { effect: 'drop' },
  'drops after the commit': { effect: 'drop-after-commit' },
  slow: { effect: 'delay', delayMs: CLINIC_SLOW_BY },
  'conditions ignored': { effect: 'ignore-conditions' },
};

/** Does to the service what the plan says. */
export function inflictOn(stack: ChaosStack): (fault: Fault) => Promise<Ending> {
  const { described, directory } = stack;
  const postgres = postgresTroubles(described.databaseUrl);
  const nothing: Ending = () => Promise.resolve();

  const runningPid = (name: ProcessName) =>
    eventually(() => stack.pidsOf(name)[0], { what: `${name} runs`, withinMs: BACK_WITHIN });
  const signal = async (name: ProcessName, what: NodeJS.Signals) => {
    process.kill(await runningPid(name), what);
  };

  const kill = async (name: ProcessName) => {
    const pid = await runningPid(name);
    // its owner would stop it in peace
    if (name === 'PostgreSQL') await killPostmaster(directory);
    process.kill(pid, 'SIGKILL');
    return nothing;
  };

  const freeze = async (name: ProcessName): Promise<Ending> => {
    const pid = await runningPid(name);
    process.kill(pid, 'SIGSTOP');
    return async () => {
      // another fault may have killed it
      if (stack.pidsOf(name).includes(pid)) process.kill(pid, 'SIGCONT');
    };
  };

  const trouble = async (name: WireName, how: WireTrouble): Promise<Ending> => {
    const wire = stack.wires.get(name);
    if (!wire) throw new Error(`there is no wire to ${name}`);
    if (how === 'cut') await wire.cut();
    if (how === 'half-open') wire.hush();
    if (how === 'answers lost') wire.loseAnswers();
    if (how === 'slow') wire.slow(SLOW_BY);
    if (how === 'busy') wire.turnAway(name === 'mail' ? BUSY.mail : BUSY.others);
    return () => wire.mend();
  };

  const atClinic = async (id: string, how: ClinicTrouble): Promise<Ending> => {
    const clinic = described.providers.find((provider) => provider.id === id);
    if (!clinic) throw new Error(`there is no clinic ${id}`);
    const body = JSON.stringify({ ...CLINIC_FAULTS[how], times: null });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${clinic.calendar}/_faults`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`no such fault: ${await answer.text()}`);
    return async () => {
      await fetch(`${clinic.calendar}/_faults`, { method: 'DELETE' });
    };
  };

  return async (fault) => {
    switch (fault.kind) {
      case 'kill':
        return kill(fault.of);
      case 'restart':
        await signal(fault.of, 'SIGTERM');
        return nothing;
      case 'freeze':
        return freeze(fault.of);
      case 'read-only':
        await postgres.readOnly();
        return () => postgres.writable();
      case 'no connection left':
        return postgres.exhaust();
      case 'wire':
        return trouble(fault.of, fault.how);
      case 'clinic':
        return atClinic(fault.of, fault.how);
    }
  };
}

export async function killPostmaster(directory: string): Promise<void> {
  const [pid] = (await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  if (Number(pid) > 1) process.kill(Number(pid), 'SIGKILL');
}
