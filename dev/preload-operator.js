import { readFile } from 'node:fs/promises';
import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

/*
 * Loaded before the operator's command line by `npm run operator`: where it is not told which operator API to call, it
 * calls the one that `npm run dev` has started, and is logged in there by itself, as `DEV_OPERATOR` (dev/operator-login/
 * people.ts has who there is). JavaScript, since what strips types takes a fifth of a command's time to load: everything
 * after this comes from the cache.
 */
enableCompileCache();
const STACK_FILE = '.dev/stack.json';

if (!process.env['OPERATOR_API_URL']) {
  const text = await readFile(STACK_FILE, 'utf8').catch(() => null);
  if (text === null)
    process.stderr.write('OPERATOR_API_URL is not set, and `npm run dev` is not running here.\n');
  else await useStack(JSON.parse(text).operatorApi);
}

/** @param {string} url of the operator API */
async function useStack(url) {
  const colleague = process.env['DEV_OPERATOR'] || 'ada';
  Object.assign(process.env, {
    OPERATOR_API_URL: url,
    OPERATOR_SOCKET: resolve('.dev/operator.sock'),
    XDG_CONFIG_HOME: resolve('.dev/logins', colleague),
  });
  const { loginFile } = (await import('../src/config/operator-client.ts')).readOperatorClientSettings();
  const isKept = await readFile(loginFile).then(
    () => true,
    () => false,
  );
  const words = process.argv.slice(2);
  if (isKept || words.includes('--help') || words.includes('login') || words.length === 0) return;
  const { createLogin } = await import('../src/operator/command-line/login.ts');
  const { visitLogin } = await import('./operator-login/visitor.ts');
  /** @type {Promise<unknown>} */
  let visit = Promise.resolve();
  try {
    await createLogin({ url, loginFile }).logIn(({ uri }) => {
      visit = visitLogin(uri, colleague);
      // waited for below, when the login has gone through, or has not
      visit.catch(() => undefined);
    });
    await visit;
  } catch (error) {
    process.stderr.write(`Not logged in as ${colleague}: ${error instanceof Error ? error.message : ''}\n`);
  }
}
