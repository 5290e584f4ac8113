import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNodeProcess } from '../../dev/child-process.ts';
import { pickPort } from '../../dev/ports.ts';

describe('a process of ours', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-processes-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  async function script(name: string, source: string): Promise<string> {
    const path = join(directory, `${name}.mjs`);
    await writeFile(path, source);
    return path;
  }

  it('is ready when its line appears, and what it writes goes to the log file', async () => {
    const logFile = join(directory, 'ready.log');
    const child = await startNodeProcess({
      name: 'the worker',
      script: await script('line', `console.log('polling', process.env.QUEUE); setInterval(() => {}, 1000);`),
      env: { QUEUE: 'cases' },
      logFile,
      ready: { line: 'polling cases' },
    });
    await child.stop();
    expect(await child.exited).toBe('signal SIGTERM');
    expect(await readFile(logFile, 'utf8')).toBe('polling cases\n');
  });

  it('is ready when its address answers 200, and not before', async () => {
    const { port } = await pickPort();
    const source = `import { createServer } from 'node:http'; let asked = 0;
      createServer((_, res) => res.writeHead(++asked > 2 ? 200 : 503).end(String(asked))).listen(${port}, '127.0.0.1');`;
    const child = await startNodeProcess({
      name: 'the API',
      script: await script('url', source),
      ready: { url: `http://127.0.0.1:${port}/` },
    });
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('4');
    await child.stop();
  });

  it('that ends before it is ready fails with its last words', async () => {
    const attempt = startNodeProcess({
      name: 'the API',
      script: await script('dies', `console.error('DATABASE_URL is missing'); process.exit(3);`),
      ready: { line: 'listening' },
    });
    await expect(attempt).rejects.toThrow('the API ended with exit code 3:\nDATABASE_URL is missing');
  });

  it('that is never ready is stopped, and fails with its last words', async () => {
    const attempt = startNodeProcess({
      name: 'the worker',
      script: await script('waits', `console.log('waiting', process.pid); setInterval(() => {}, 1000);`),
      ready: { line: 'polling' },
      readyTimeoutMs: 700,
    });
    const error = await attempt.then(() => undefined, String);
    expect(error).toMatch(/the worker was not ready after 1 s:\nwaiting \d+/);
    expect(isAlive(Number(/waiting (\d+)/.exec(error ?? '')?.[1]))).toBe(false);
  });

  it('that does not listen to SIGTERM is killed after the grace', async () => {
    const source = `process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000);`;
    const path = await script('stubborn', source);
    const child = await startNodeProcess({
      name: 'it',
      script: path,
      ready: { line: 'ready' },
      graceMs: 200,
    });
    await Promise.all([child.stop(), child.stop()]);
    expect(await child.exited).toBe('signal SIGKILL');
  });

  it('does not outlive us when we are killed', async () => {
    const child = await script('child', `console.log('up'); setInterval(() => {}, 1000);`);
    const root = new URL('../../dev/child-process.ts', import.meta.url).href;
    const parent = await script(
      'parent',
      `import { startNodeProcess } from '${root}';
       const child = await startNodeProcess({ name: 'it', script: '${child}', ready: { line: 'up' } });
       console.log(child.pid); setInterval(() => {}, 1000);`,
    );
    const us = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve) =>
      us.stdout.once('data', (text) => resolve(Number(text))),
    );
    expect(isAlive(pid)).toBe(true);
    us.kill('SIGKILL');
    for (let patience = 100; isAlive(pid) && patience > 0; patience--) await delay(50);
    expect(isAlive(pid)).toBe(false);
  });
});

describe('picking a port', () => {
  it('takes the preferred one when it is free, once', async () => {
    const { port: free } = await pickPort();
    // the pick above has reserved it for this process
    expect(await pickPort(free)).toMatchObject({ preferred: false });
  });

  it('takes another one when somebody listens there', async () => {
    const { port } = await pickPort();
    const source = `import { createServer } from 'node:net'; createServer().listen(${port}, '0.0.0.0', () => console.log('up'));`;
    const path = join(tmpdir(), `treatment-booking-squatter-${port}.mjs`);
    await writeFile(path, source);
    const squatter = await startNodeProcess({ name: 'it', script: path, ready: { line: 'up' } });
    try {
      const picked = await pickPort(port);
      expect(picked.preferred).toBe(false);
      expect(picked.port).not.toBe(port);
    } finally {
      await squatter.stop();
      await rm(path);
    }
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
