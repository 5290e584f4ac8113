import { readFile } from 'node:fs/promises';
import type { StackDescription } from './stack/stack.ts';

/**
 * Loaded before the operator's command line by `npm run operator`: with no database set, it works with what `npm run dev`
 * has started. All or nothing, so that nobody's database meets somebody else's Temporal.
 */
const STACK_FILE = '.dev/stack.json';

if (!process.env['DATABASE_URL']) {
  const text = await readFile(STACK_FILE, 'utf8').catch(() => null);
  if (text === null)
    process.stderr.write('DATABASE_URL is not set, and `npm run dev` is not running here.\n');
  else applyStack(JSON.parse(text) as StackDescription);
}

function applyStack({ databaseUrl, temporalAddress, web, ...stack }: StackDescription): void {
  process.stderr.write('DATABASE_URL is not set: using the development stack in .dev.\n');
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_API_KEY: '',
    ENVIRONMENT: 'test',
    PUBLIC_URL: web,
    CREDENTIALS_DIRECTORY: stack.credentialsDirectory,
    ...stack.providerSecrets,
  });
}
