import { readFile } from 'node:fs/promises';
import type { StackDescription } from './stack/stack.ts';

/** Loaded before `npm run provider:check`: where `npm run dev` runs, its clinics' secrets are set as it registered them. */
const text = await readFile('.dev/stack.json', 'utf8').catch(() => null);
if (text !== null) {
  const { providerSecrets, credentialsDirectory } = JSON.parse(text) as StackDescription;
  process.env['CREDENTIALS_DIRECTORY'] ??= credentialsDirectory;
  for (const [variable, secret] of Object.entries(providerSecrets)) process.env[variable] ??= secret;
}
