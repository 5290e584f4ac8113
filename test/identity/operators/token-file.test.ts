import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTokenFile, type KeptLogin } from '../../../src/identity/operators/token-file.ts';

describe('the file in which the command line keeps its logins', () => {
  let directory: string;
  let path: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'logins-'));
    path = join(directory, 'treatment-booking', 'logins.json');
  });
  afterEach(() => rm(directory, { recursive: true }));

  const loginAt = (api: string, accessToken = 'access'): KeptLogin => ({
    ...{ api, accessToken, refreshToken: 'refresh' },
    ...{ issuer: 'https://login.example', clientId: 'cli', scope: 'openid' },
  });

  it('is for its owner alone, and has one for each operator API', async () => {
    const file = createTokenFile(path);
    await file.update('https://a.example', async () => loginAt('https://a.example'));
    await file.update('https://b.example', async () => loginAt('https://b.example', 'other'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
    expect((await file.read('https://a.example'))?.accessToken).toBe('access');
    expect((await file.read('https://b.example'))?.accessToken).toBe('other');
    expect(await file.read('https://c.example')).toBeNull();
    await file.update('https://a.example', async () => null);
    expect(await file.read('https://a.example')).toBeNull();
    expect(await readFile(path, 'utf8')).not.toContain('a.example');
    expect(await readdir(join(path, '..'))).toEqual(['logins.json']);
  });

  it('is changed by one command at a time, each of which sees what the one before left', async () => {
    const file = createTokenFile(path);
    const api = 'https://a.example';
    await file.update(api, async () => loginAt(api, '0'));
    const commands = Array.from({ length: 12 }, () =>
      createTokenFile(path).update(api, async (kept) => loginAt(api, String(Number(kept?.accessToken) + 1))),
    );
    await Promise.all(commands);
    expect((await file.read(api))?.accessToken).toBe('12');
  });

  it('is let go by a command that fails, and taken from one that was killed', async () => {
    const file = createTokenFile(path);
    const api = 'https://a.example';
    await expect(file.update(api, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    await file.update(api, async () => loginAt(api));
    const lock = `${path}.lock`;
    await writeFile(lock, '');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(lock, longAgo, longAgo);
    await file.update(api, async () => loginAt(api, 'next'));
    expect((await file.read(api))?.accessToken).toBe('next');
  });

  it('says that nobody is logged in where it is cut off', async () => {
    const file = createTokenFile(path);
    const api = 'https://a.example';
    await file.update(api, async () => loginAt(api));
    await writeFile(path, '[{"api": "https://a.ex');
    expect(await file.read(api)).toBeNull();
  });
});
