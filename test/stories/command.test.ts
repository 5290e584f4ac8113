import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';

const DEV = fileURLToPath(new URL('../../dev/dev.ts', import.meta.url));

/** Runs the command; nothing of it needs to be up. */
function command(...args: string[]) {
  const child = spawn(process.execPath, [DEV, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said: () => said, ended };
}

describe('npm run dev', () => {
  it('stops at once at Ctrl-C while it is still starting, and leaves no description behind', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-dev-'));
    try {
      const { child, said, ended } = command('--any-ports', '--directory', directory);
      await eventually(() => said().includes('✓') || null, { what: 'the first part is up' });
      child.kill('SIGINT');
      expect(await ended).toBe(0);
      expect(said()).toContain('Stopped.');
      const left = await readdir(directory);
      expect(left).not.toContain('stack.json');
      expect(left).not.toContain('dev.pid');
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('explains its options, and one that it does not know', async () => {
    const help = command('--help');
    expect(await help.ended).toBe(0);
    expect(help.said()).toContain('--reset');
    const unknown = command('--resett');
    expect(await unknown.ended).toBe(2);
    expect(unknown.said()).toContain('--resett');
    expect(unknown.said()).toContain('--reset ');
  });
});
