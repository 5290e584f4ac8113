import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';

const PICKS = 200;
/** Picks, says which, and keeps them without binding until it is told to end. */
const PICKER = `
  import { pickPort } from ${JSON.stringify(new URL('../../dev/ports.ts', import.meta.url).href)};
  const ports = [];
  for (let i = 0; i < ${PICKS}; i += 1) ports.push((await pickPort()).port);
  process.stdin.resume();
  process.stdout.write(ports.join() + '\\n');
`;

it('a port is picked by one process only, long before anybody binds it', async () => {
  const pickers = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', PICKER], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  const picked = await Promise.all(
    pickers.map(async ({ stdout }) => {
      let text = '';
      for await (const chunk of stdout) {
        text += String(chunk);
        if (text.endsWith('\n')) break;
      }
      return text.trim().split(',');
    }),
  );
  await Promise.all(
    pickers.map((picker) => {
      picker.stdin.end();
      return once(picker, 'exit');
    }),
  );
  expect(new Set(picked.flat()).size).toBe(3 * PICKS);
});
