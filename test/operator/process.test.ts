import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { partnersCases } from '../support/partners-cases.ts';
import { runningServers } from '../support/running-servers.ts';
import { startService, type TestService } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('the operator’s process', () => {
  let service: TestService;
  let elsewhere = '';
  beforeAll(async () => {
    service = await startService();
    elsewhere = await mkdtemp(join(tmpdir(), 'treatment-booking-operator-'));
    for (const name of ['src', 'dev', 'workflows', 'node_modules', 'package.json'])
      await symlink(join(root, name), join(elsewhere, name));
  });
  afterAll(async () => {
    await service.stop();
    await rm(elsewhere, { recursive: true, force: true });
  });

  const { create } = partnersCases(() => service);
  const settings = () => ({
    DATABASE_URL: service.databaseUrl,
    TEMPORAL_ADDRESS: runningServers().temporalAddress,
    ENVIRONMENT: 'test',
    PUBLIC_URL: service.url,
  });
  /** As the image runs it, with nobody at its input: a pipe that stays open. */
  const operator = (argv: readonly string[], env: Record<string, string> = settings()) =>
    ended(process.execPath, [join(root, 'src/main/operator.ts'), ...argv], { cwd: elsewhere, env });

  it('teaches with --help, without any settings', async () => {
    const { exit, out, err } = await operator(['--help'], {});
    expect([exit, err]).toEqual([0, '']);
    for (const word of ['case list --attention', 'OPERATOR_NAME', '  78  wrong settings'])
      expect(out).toContain(word);
  });

  it('answers on standard output and says on standard error with what it works, without the password', async () => {
    const { id } = await create();
    const { exit, out, err } = await operator(['case', 'list', '--json']);
    expect(exit).toBe(0);
    expect(JSON.parse(out).data[0]).toMatchObject({ id, status: 'pending_patient_action' });
    const { hostname, port, pathname, password } = new URL(service.databaseUrl);
    expect(err).toBe(`Database ${pathname.slice(1)} at ${hostname}:${port}, test environment.\n`);
    expect(password).not.toBe('');
    expect(out + err).not.toContain(password);
  });

  it('has the one who gives the command in the log: by --as, by OPERATOR_NAME, or the system’s user', async () => {
    await operator(['partner', 'add', 'a', '--name', 'x', '--as', 'kari']);
    await operator(['partner', 'add', 'b', '--name', 'x'], { ...settings(), OPERATOR_NAME: 'ola' });
    await operator(['partner', 'add', 'c', '--name', 'x']);
    const { data } = JSON.parse((await operator(['log', '--json'])).out);
    const by = new Map(data.map(({ subject, operator: who }: any) => [subject, who]));
    expect([by.get('a'), by.get('b')]).toEqual(['kari', 'ola']);
    expect(by.get('c')).toMatch(/^\S+$/);
  });

  it('ends at once instead of asking nobody', async () => {
    const { id } = await create();
    const { exit, out, err } = await operator(['case', 'recall', id, '--reason', 'x']);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain('--yes');
  });

  describe('ends with', () => {
    it('a sentence and no stack on a slip or an unknown case', async () => {
      const slip = await operator(['case', 'lst']);
      expect([slip.exit, slip.out]).toEqual([2, '']);
      const unknown = await operator(['case', 'show', 'nope']);
      expect([unknown.exit, unknown.out]).toEqual([1, '']);
      expect(slip.err + unknown.err).not.toMatch(/^ +at /m);
    });

    it('78 and every wrong setting by name, no value', async () => {
      const { exit, err } = await operator(['case', 'list'], {
        ...settings(),
        ENVIRONMENT: 'hush',
        TEMPORAL_ADDRESS: '',
      });
      expect(exit).toBe(78);
      expect(err).toMatch(/ENVIRONMENT: [^]*TEMPORAL_ADDRESS: /);
      expect(err).not.toContain('hush');
    });

    it('78 when PostgreSQL refuses the password or has no such database', async () => {
      for (const url of [
        service.databaseUrl.replace(/\/[^/]*$/, '/no_such_database'),
        service.databaseUrl.replace(/:[^:@/]+@/, ':wrong@'),
      ]) {
        const { exit, err } = await operator(['case', 'list'], { ...settings(), DATABASE_URL: url });
        expect([exit, err]).toEqual([78, expect.stringContaining('PostgreSQL refuses')]);
      }
    });

    it('69 when PostgreSQL is not there', async () => {
      const { exit, err } = await operator(['case', 'list'], {
        ...settings(),
        DATABASE_URL: 'postgresql://x:y@127.0.0.1:9/z',
      });
      expect([exit, err]).toEqual([69, expect.stringContaining('PostgreSQL unreachable')]);
    });

    it('69 when the tables are not this version’s', async () => {
      const { exit, err } = await operator(['case', 'list'], {
        ...settings(),
        DATABASE_URL: service.databaseUrl.replace(/\/[^/]*$/, '/postgres'),
      });
      expect([exit, err]).toEqual([69, expect.stringContaining('src/main/migrate.ts')]);
    });
  });

  describe('npm run operator', () => {
    const script = async () => {
      const text = await readFile(join(root, 'package.json'), 'utf8');
      return (
        (JSON.parse(text) as { scripts: Record<string, string> }).scripts['operator']?.split(' ').slice(1) ??
        []
      );
    };
    const npm = async (argv: readonly string[], env: Record<string, string>) =>
      ended(process.execPath, [...(await script()), ...argv], { cwd: elsewhere, env });

    it('works with what npm run dev has started here, when nothing else is set', async () => {
      const stack = {
        databaseUrl: service.databaseUrl,
        web: service.url,
        ...{ temporalAddress: '127.0.0.1:9' },
      };
      await mkdir(join(elsewhere, '.dev'), { recursive: true });
      await writeFile(join(elsewhere, '.dev/stack.json'), JSON.stringify(stack));
      const { exit, out, err } = await npm(['partner', 'list'], {});
      expect([exit, err]).toEqual([0, expect.stringContaining('using the development stack in .dev')]);
      expect(out).toContain('fjordtrygd');
    });

    it('leaves settings that are there alone, all of them', async () => {
      const { exit, err } = await npm(['partner', 'list'], { DATABASE_URL: service.databaseUrl });
      expect(exit).toBe(78);
      expect(err).toMatch(/ENVIRONMENT: is missing[^]*TEMPORAL_ADDRESS: is missing/);
      expect(err).not.toContain('development stack');
    });

    it('says what to do when nothing runs here', async () => {
      await rm(join(elsewhere, '.dev'), { recursive: true, force: true });
      const { exit, err } = await npm(['partner', 'list'], {});
      expect([exit, err]).toEqual([78, expect.stringContaining('`npm run dev` is not running here')]);
    });
  });
});

async function ended(
  program: string,
  argv: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<{ exit: number | null; out: string; err: string }> {
  const { NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(program, argv, {
    cwd,
    env: { NODE_COMPILE_CACHE, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const exit = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exit, ...said };
}
