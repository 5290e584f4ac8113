import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** So many without any server take as long as one on it. */
const PURE_LIVES = 10;

/**
 * Tries random lives of cases against the model of them (test/workflows/model.test.ts), and ten times as many against each
 * property that every case has (test/domain), all of them more than there is time for each time.
 *
 * @returns whether all of them were as they have to be
 */
export async function tryLives(lives: number, seed: number): Promise<boolean> {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const tests = spawn(process.execPath, [jest, 'test/workflows/model', 'test/domain'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      MODEL_LIVES: String(lives),
      PROPERTY_RUNS: String(lives * PURE_LIVES),
      PROPERTY_SEED: String(seed),
    },
  });
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code === 0;
}
