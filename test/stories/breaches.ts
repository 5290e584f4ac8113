import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { visitLogin } from '../../dev/operator-login/visitor.ts';
import { createLogin } from '../../src/operator/command-line/login.ts';
import { runOperator } from '../../src/operator/command-line/program.ts';
import { DESCRIPTIONS } from '../../src/operator/descriptions/index.ts';
import type { Json } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import type { DevStack } from './dev-stack.ts';
import type { World } from './world.ts';

interface Customer {
  readonly booking: string;
  readonly browser: {
    json(method: string, url: string, body?: unknown): Promise<{ status: number; body: Json }>;
  };
  readonly slots: () => Promise<Json[]>;
}

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/operations/breach.md'), 'utf8');

/** The commands below a heading, as somebody copies them: without what is said of them. */
function commandsBelow(heading: string): readonly string[] {
  const [, section = ''] = PAGE.split(`\n${heading}\n`);
  const [own = ''] = section.split(/\n#{2,3} /);
  return [...own.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => linesOf(block));
}
const linesOf = (block: string): readonly string[] =>
  block
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''));

const nameOf = (argv: readonly string[]): string | undefined =>
  DESCRIPTIONS.find(({ name }) => name === argv.slice(0, name.split(' ').length).join(' '))?.name;

/** What an operator runs after a breach, by the page that says what to run: on the whole service, by a login. */
export function describeBreaches(
  at: () => { readonly stack: DevStack; readonly world: World },
  customerOf: (created: Json) => Promise<Customer>,
): void {
  /** Lines of the page's blocks, and names of all operations that were run. */
  const ran = new Set<string>();
  const done = new Set<string>();
  let login: ReturnType<typeof createLogin>;
  const since = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  beforeAll(async () => {
    const { stack } = at();
    login = createLogin({
      url: stack.description.operatorApi,
      loginFile: join(stack.directory, 'breach', 'logins.json'),
    });
    let visit: Promise<unknown> = Promise.resolve();
    await login.logIn(({ uri }) => {
      visit = visitLogin(uri, 'ada');
    });
    await visit;
  });

  const operator = async (argv: readonly string[]): Promise<Json> => {
    const written = { out: '', err: '' };
    const sink = (name: 'out' | 'err') =>
      new Writable({
        decodeStrings: false,
        write(text: string, _encoding, done) {
          written[name] += text;
          done();
        },
      });
    const description = DESCRIPTIONS.find(({ name }) => name === nameOf(argv));
    const meant = description?.asks ? ['--yes'] : [];
    const exit = await runOperator([...argv, ...meant, '--json'], {
      streams: { stdin: new PassThrough(), stdout: sink('out'), stderr: sink('err') },
      connect: () => login.connection,
    });
    if (exit !== 0)
      throw new Error(`operator ${argv.join(' ')} ended with ${exit}: ${written.err}${written.out}`);
    done.add(description?.name ?? '');
    return JSON.parse(written.out);
  };

  /** Runs all commands below a heading. @returns what each printed, by its first words */
  const follow = async (heading: string, values: Readonly<Record<string, string>>) => {
    const printed: Record<string, Json> = {};
    for (const line of commandsBelow(heading)) {
      const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      const argv = words.slice(1).map((word) =>
        word.replace(/\$(\w+)/g, (_, name: string) => {
          const value = { SINCE: since, ...values }[name];
          if (value === undefined) throw new Error(`${line}: nobody says what $${name} is`);
          return value;
        }),
      );
      expect(words[0]).toBe('operator');
      printed[words.slice(1, 3).join(' ')] = await operator(argv);
      ran.add(line);
    }
    return printed;
  };

  const booked = async (): Promise<{ created: Json; customer: Customer; slot: Json }> => {
    const created = await at().world.newCase();
    const customer = await customerOf(created);
    const [slot] = (await customer.slots()).filter(({ providerId }) => providerId === clinic());
    await customer.browser.json('POST', `${customer.booking}/confirm`, { slotId: slot?.slotId });
    await eventually(
      async () => (await at().world.call('GET', `/cases/${created.id}`)).body.booking?.transferredAt,
      { what: 'the clinic has the booking' },
    );
    return { created, customer, slot };
  };
  const clinic = (): string => at().stack.description.providers[0]?.id ?? '';

  describe('after a breach, the commands of docs/operations/breach.md', () => {
    it('end a partner’s key, and say what was read with it', async () => {
      const { world } = at();
      const { id, key } = await operator(['key', 'create', 'polar', '--name', 'that leaks']);
      expect((await world.call('GET', '/cases', undefined, key)).status).toBe(200);
      const printed = await follow("### A partner's key", {
        ...{ PARTNER: 'polar', KEY: id, ADDRESS: '127.0.0.1' },
      });
      expect(printed['access by'].data).toMatchObject([{ action: 'listCases', partnerId: 'polar' }]);
      expect((await world.call('GET', '/cases', undefined, key)).status).toBe(401);
      // suspended, and let in again
      expect((await world.call('GET', '/cases', undefined, printed['key create'].key)).status).toBe(200);
    });

    it('wrap keys by another master key, and say whether the logs are whole', async () => {
      const printed = await follow('### One of ours', {});
      expect(printed['access verify'].data).toHaveLength(3);
    });

    it('keep a partner’s user out, and say what the account did', async () => {
      const [email, partner] = ['overtatt@polar.example', 'polar'];
      await operator(['user', 'add', partner, email]);
      const { data } = await operator(['user', 'list', partner]);
      const user = data.find((one: Json) => one.email === email);
      const printed = await follow("### A partner's user", { EMAIL: email, PARTNER: partner, USER: user.id });
      expect(printed['user list'].data).toEqual(
        expect.arrayContaining([expect.objectContaining({ email, suspendedAt: expect.any(String) })]),
      );
      const after = (await operator(['user', 'list', partner])).data.find((one: Json) => one.email === email);
      expect(after.suspendedAt).toBeNull();
    });

    it('say what was done and seen in an operator’s name', async () => {
      const created = await at().world.newCase();
      const reveal = ['--reveal', '--ticket', 'INC-123', '--reason', 'a call'];
      await operator(['case', 'show', created.id, ...reveal]);
      const printed = await follow("### An operator's", { OPERATOR: 'Ada Allmakt', SUBJECT: 'ada' });
      expect(printed['log --by'].data.length).toBeGreaterThan(0);
      expect(JSON.stringify(printed['case reveals'])).toContain(created.id);
      expect(printed['access by'].data).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ action: 'case.reveal', caseIds: [created.id], whoName: 'Ada Allmakt' }),
        ]),
      );
    });

    it('take a case from the wrong person, and its appointment, and write to the right one', async () => {
      const { created, customer } = await booked();
      const printed = await follow('## The wrong person was bound', {
        ...{ CASE: created.id, ADDRESS_OF_CUSTOMER: 'den.rette@example.com' },
      });
      expect(printed['access case'].data).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ who: 'customer', action: 'login', outcome: 'done' }),
        ]),
      );
      expect((await customer.browser.json('GET', `${customer.booking}/availability`)).status).toBe(401);
      const { body } = await at().world.call('GET', `/cases/${created.id}`);
      expect(body).toMatchObject({ status: 'pending_patient_action', patientEmail: 'den.rette@example.com' });
      await operator(['case', 'readmit', created.id, '--reason', 'it was them after all']);
    });

    it('stop bookings at a clinic, say whose details it has, and take appointments away', async () => {
      const { created } = await booked();
      const printed = await follow("## A clinic's calendar was misread", {
        ...{ CLINIC: clinic(), TREATMENT: 'psychology', CASE_AT_CLINIC: created.id },
      });
      expect(printed['access by'].data).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ who: 'clinic', action: 'transfer', caseIds: [created.id] }),
        ]),
      );
      expect((await at().world.call('GET', `/cases/${created.id}`)).body.status).toBe(
        'pending_patient_action',
      );
    });

    it('are all tried here', () => {
      const all = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => linesOf(block));
      expect(all.length).toBeGreaterThan(20);
      expect(all.filter((line) => !ran.has(line))).toEqual([]);
      const inText = [...PAGE.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`]+)`/g)]
        .map(([, code = '']) => code)
        .filter((code) => /^operator |^[a-z_-]+ |^[A-Z]+ [A-Z]/.test(code) && code !== 'key rotate');
      expect(inText.length).toBeGreaterThan(3);
      expect(inText.filter((code) => !done.has(nameOf(code.split(' ').slice(1)) ?? ''))).toEqual([]);
    });
  });
}
