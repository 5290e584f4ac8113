import { readFile } from 'node:fs/promises';
import type { StackDescription } from './stack/stack.ts';

/**
 * Loaded before the operator's command line by `npm run operator`: where it is not told which operator API to call, it
 * calls the one that `npm run dev` has started.
 */
const STACK_FILE = '.dev/stack.json';

if (!process.env['OPERATOR_API_URL']) {
  const text = await readFile(STACK_FILE, 'utf8').catch(() => null);
  if (text === null)
    process.stderr.write('OPERATOR_API_URL is not set, and `npm run dev` is not running here.\n');
  else process.env['OPERATOR_API_URL'] = (JSON.parse(text) as StackDescription).operatorApi;
}
