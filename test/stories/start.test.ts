import { afterEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnProcess, runOwnProcess } from '../support/own-process.ts';
import { runningServers } from '../support/running-servers.ts';
import { serviceEnvironment } from '../support/service-settings.ts';

const NAMELESS = 'postgresql://us@nowhere.invalid/cases';

describe('a process that can not start', () => {
  let running: OwnProcess | null = null;
  afterEach(() => running?.kill());

  const start = async (root: 'api' | 'worker' | 'migrate', DATABASE_URL: string) => {
    const { api, worker } = serviceEnvironment({
      port: 0,
      databaseUrl: DATABASE_URL,
      temporalAddress: '127.0.0.1:9',
    });
    running = await runOwnProcess(root, root === 'worker' ? worker : api);
    return running;
  };
  /** All that it said: what is no JSON fails here. */
  const linesOf = (one: OwnProcess) =>
    one
      .said()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const at = (path: string) => new URL(path, runningServers().postgresUrl).href;

  it.each([
    [
      'a setting is wrong',
      'mysql://hunter2@here',
      { faults: expect.arrayContaining(['DATABASE_URL: must be a postgresql:// address']) },
    ],
    [
      'there is no such database',
      () => at('/no_such_database'),
      { reason: 'error 3D000', cause: 'not_let_in' },
    ],
    ['PostgreSQL has no TLS', () => at('/postgres?sslmode=require'), { cause: 'tls' }],
  ] as const)('ends with 78 and says in one line that %s', async (_, url, why) => {
    for (const root of ['api', 'migrate'] as const) {
      const one = await start(root, typeof url === 'string' ? url : url());
      expect((await one.ended).how).toBe('exit code 78');
      expect(linesOf(one).at(-1)).toMatchObject({ name: root, level: 60, msg: 'could not start', ...why });
      expect(one.said()).not.toContain('hunter2');
    }
  });

  it('ends with 78 where what partners read is not locked', async () => {
    const databaseUrl = await createTestDatabase();
    const { api } = serviceEnvironment({ port: 0, databaseUrl, temporalAddress: '127.0.0.1:9' });
    running = await runOwnProcess('api', { ...api, PARTNER_DATABASE_URL: api.DATABASE_URL });
    expect((await running.ended).how).toBe('exit code 78');
    expect(linesOf(running).at(-1)).toMatchObject({
      faults: [
        'PARTNER_DATABASE_URL: must be of the role booking_partner; its own is shown every partner’s cases',
      ],
    });
  });

  it('waits for a server whose name is not known yet, and says so', async () => {
    const one = await start('worker', NAMELESS);
    const [line] = await eventually(() => one.said() !== '' && linesOf(one));
    expect(line).toMatchObject({
      level: 40,
      msg: 'PostgreSQL unreachable, retrying',
      reason: 'Error ENOTFOUND',
    });
  });

  it('ends with 1 where only its work has an end, for whoever starts it again', async () => {
    const one = await start('migrate', NAMELESS);
    expect((await one.ended).how).toBe('exit code 1');
    expect(linesOf(one)).toMatchObject([{ msg: 'could not start', reason: 'Error ENOTFOUND' }]);
  });
});
