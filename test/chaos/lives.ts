import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Tries random lives of cases against the model of them: test/workflows/model.test.ts, with more lives than there is time
 * for each time.
 *
 * @returns whether all of them were as they have to be
 */
export async function tryLives(lives: number, seed: number): Promise<boolean> {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const tests = spawn(process.execPath, [jest, 'test/workflows/model'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, MODEL_LIVES: String(lives), MODEL_SEED: String(seed) },
  });
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code === 0;
}
