import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../support/browser.ts';

const RUNNER = fileURLToPath(new URL('./run.ts', import.meta.url));
const SEED = 7;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'treatment-booking-chaos-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** As `npm run chaos --` does it. */
const chaos = (...options: string[]): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [RUNNER, '--out', directory, ...options], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    );
  });

describe('a short chaos run', () => {
  it('kills each process once, hurts the rest, and finds every promise kept', async () => {
    const short = ['--instances', '1', '--cases', '12', '--kills', '4', '--minutes', '0.2', '--rest', '90'];
    const { code, said } = await chaos(...short, '--seed', String(SEED));
    const { figures, violations, faults } = JSON.parse(
      await readFile(join(directory, `${SEED}.json`), 'utf8').catch(() => {
        throw new Error(`there is no report:\n${said}`);
      }),
    );
    expect(violations).toEqual([]);
    expect(code).toBe(0);
    const killed = faults.map(({ fault }: Json) => fault).filter((fault: string) => fault.startsWith('kill'));
    expect(killed.toSorted()).toEqual(['kill: API', 'kill: PostgreSQL', 'kill: Temporal', 'kill: worker']);
    expect(faults.filter(({ failure }: Json) => failure !== null)).toEqual([]);
    expect(figures).toMatchObject({
      'cases answered with 201': 12,
      'processes killed': 4,
      'other faults': 4,
    });
    expect(said).toContain('Every promise was kept.');
  }, 240_000);
});
