import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** In place of a status: it says a line, and is gone. */
const KILLED = 0;

/** How the command line is a process: what it takes, what it loads, and what it ends with when nobody serves it. */
describe('the operator’s process', () => {
  let elsewhere = '';
  let server: Server;
  let asked: { url?: string | undefined; body: string }[] = [];
  let answer: { status: number; body: string } = { status: 200, body: '' };
  beforeAll(async () => {
    elsewhere = await mkdtemp(join(tmpdir(), 'treatment-booking-operator-'));
    for (const name of ['src', 'dev', 'workflows', 'node_modules', 'package.json'])
      await symlink(join(root, name), join(elsewhere, name));
    server = createServer((req, res) => {
      let body = '';
      req.on('data', (chunk: Buffer) => (body += chunk.toString()));
      req.on('end', () => {
        asked.push({ url: req.url, body });
        if (answer.status === KILLED) {
          res.writeHead(200, { 'content-type': 'application/x-ndjson' }).write(answer.body);
          setImmediate(() => req.socket.resetAndDestroy());
          return;
        }
        res.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.close();
    await rm(elsewhere, { recursive: true, force: true });
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** As the image runs it, with nobody at its input: a pipe that stays open. */
  const operator = (argv: readonly string[], env: Record<string, string> = { OPERATOR_API_URL: url() }) =>
    ended(process.execPath, [join(root, 'src/main/operator.ts'), ...argv], { cwd: elsewhere, env });
  const says = (status: number, body: unknown) => {
    asked = [];
    answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
  };

  it('teaches with --help, without any settings', async () => {
    const { exit, out, err } = await operator(['--help'], {});
    expect([exit, err]).toEqual([0, '']);
    for (const word of ['case list --attention', 'OPERATOR_API_URL', '  78  wrong settings'])
      expect(out).toContain(word);
  });

  it('loads what describes the operations, two packages, and no more', async () => {
    says(200, { result: { data: [] }, view: 'No such cases.', as: 'Ola', environment: 'test' });
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) });`;
    const { err } = await ended(
      process.execPath,
      [
        ...['--import', `data:text/javascript,${encodeURIComponent(hook)}`],
        ...[join(root, 'src/main/operator.ts'), 'case', 'list'],
      ],
      { cwd: elsewhere, env: { OPERATOR_API_URL: url() } },
    );
    const packages = [...err.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].map(([, name]) => name);
    expect([...new Set(packages)].sort()).toEqual(['commander', 'zod']);
    // a third of a second is what the two packages and Node take already
    expect(err.match(/\/src\/\S+\.ts$/gm)?.length).toBeLessThan(40);
  });

  it('answers on standard output, and says on standard error who it was done as', async () => {
    says(200, { result: { data: [] }, view: 'No such cases.', as: 'Ola', environment: 'test' });
    expect(await operator(['case', 'list', '--status', 'booked', '--limit', '3'])).toEqual({
      exit: 0,
      out: 'No such cases.\n',
      err: 'As Ola, test environment.\n',
    });
    expect(asked.map(({ url: path, body }) => [path, JSON.parse(body)])).toEqual([
      ['/operator/v1/case/list', { status: ['booked'], limit: 3 }],
    ]);
    expect(await operator(['case', 'list', '--json'])).toMatchObject({
      out: '{\n  "data": []\n}\n',
      err: '',
    });
  });

  describe('ends with', () => {
    it('2 and a sentence, and no stack, on a slip', async () => {
      const slip = await operator(['case', 'lst']);
      expect([slip.exit, slip.out]).toEqual([2, '']);
      expect(slip.err).not.toMatch(/^ +at /m);
    });

    it.each([
      ['nothing', {}],
      ['no address', { OPERATOR_API_URL: 'booking.example' }],
    ])('78 when the settings say %s', async (_, env) => {
      const { exit, err } = await operator(['case', 'list'], env);
      expect([exit, err]).toEqual([78, expect.stringContaining('OPERATOR_API_URL')]);
    });

    it('69 when the operator API is away, and that nothing was done', async () => {
      const { exit, err } = await operator(['case', 'list'], { OPERATOR_API_URL: 'http://127.0.0.1:9' });
      expect([exit, err]).toEqual([
        69,
        expect.stringMatching(/127\.0\.0\.1:9 does not answer.*Nothing was done/),
      ]);
    });

    it('69 when the operator API is killed while it is at it, and that it may have happened', async () => {
      says(KILLED, '{"say":"3 of 30"}\n');
      const { exit, out, err } = await operator(['case', 'list', '--json']);
      expect([exit, err]).toEqual([69, '3 of 30\n']);
      expect(JSON.parse(out)).toMatchObject({ error: { code: 'OUTCOME_UNKNOWN' } });
    });

    it('69 when something else answers there', async () => {
      says(502, '<html>Bad gateway</html>');
      const { exit, err } = await operator(['case', 'list']);
      expect([exit, err]).toEqual([69, expect.stringMatching(/does not answer|not the operator API/)]);
      says(404, { message: 'unknown' });
      const other = await operator(['case', 'list']);
      expect([other.exit, other.err]).toEqual([69, expect.stringContaining('not the operator API')]);
    });

    it.each([
      [401, 'LOGIN_EXPIRED', 1],
      [403, 'ROLE_MISSING', 1],
      [409, 'ACTION_NOT_ALLOWED', 1],
      [400, 'WRONG_USAGE', 2],
      [503, 'DATABASE_AWAY', 69],
      [500, 'INTERNAL_ERROR', 70],
    ])('what the API’s %i means, with its words', async (status, code, exit) => {
      says(status, { error: 'Its words.', statusCode: status, details: { code, requestId: 'id' } });
      const plain = await operator(['case', 'list']);
      expect([plain.exit, plain.out, plain.err]).toEqual([exit, '', expect.stringContaining('Its words.')]);
      const machine = await operator(['case', 'list', '--json']);
      expect(JSON.parse(machine.out)).toMatchObject({ error: { code } });
    });
  });

  describe('npm run operator', () => {
    const npm = async (argv: readonly string[], env: Record<string, string>) => {
      const text = await readFile(join(root, 'package.json'), 'utf8');
      const script = (JSON.parse(text) as { scripts: Record<string, string> }).scripts['operator'] ?? '';
      return ended(process.execPath, [...script.split(' ').slice(1), ...argv], { cwd: elsewhere, env });
    };

    it('calls what npm run dev has started here, when nothing else is set', async () => {
      await mkdir(join(elsewhere, '.dev'), { recursive: true });
      await writeFile(join(elsewhere, '.dev/stack.json'), JSON.stringify({ operatorApi: url() }));
      says(200, { result: {}, view: 'fjordtrygd', as: 'Ola', environment: 'test' });
      expect(await npm(['partner', 'list'], {})).toMatchObject({ exit: 0, out: 'fjordtrygd\n' });
      says(200, { result: {}, view: 'x', as: 'Ola', environment: 'test' });
      const { exit } = await npm(['partner', 'list'], { OPERATOR_API_URL: 'http://127.0.0.1:9' });
      expect([exit, asked]).toEqual([69, []]);
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
