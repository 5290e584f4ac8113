import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Description, flagOf, inputSchema } from '../../src/operator/description.ts';
import { DESCRIPTIONS, type OperationName } from '../../src/operator/descriptions/index.ts';
import { logIn } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { today } from '../support/new-case.ts';
import { partnerAccounts } from '../support/partner-user.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';
import type { Actor } from '../../src/identity/operators/actor.ts';
import { actor, operatorOf } from './command.ts';
import { officeOf } from './office.ts';

type Input = Readonly<Record<string, unknown>>;

/** What somebody types for an input. */
function typed(name: OperationName, input: Input): string[] {
  const described = DESCRIPTIONS.find((one) => one.name === name);
  if (!described) throw new Error(`no ${name}`);
  const { properties } = inputSchema(described);
  const words = Object.entries(input).map(([field, value]) => {
    const values = [value].flat().map(String);
    if (properties[field]?.['x-form']?.positional) return values;
    return value === true ? [flagOf(field)] : [flagOf(field), ...values];
  });
  return [...name.split(' '), ...words.flat()];
}

describe('an operator’s day', () => {
  const service = useService();
  const { create, read, until } = partnersCases(() => service);
  const { activeUser } = partnerAccounts(() => service);
  const operator = operatorOf(() => service);
  const office = officeOf(operator.url, () => service.database);
  const [kari, ola, siri] = [actor('kari'), actor('ola'), actor('siri')];

  interface Offer {
    readonly slot: string;
  }
  const offered: Offer[] = [];
  /** A time that nobody else here has taken, of those that were offered first. */
  const freeSlot = async (id: string): Promise<string> => {
    const look = async () => (await operator.json(`case availability ${id}`)).slots as Offer[] | undefined;
    if (offered.length === 0) offered.push(...(await eventually(look, { what: 'the clinics answer' })));
    return offered.splice(Math.floor(Math.random() * offered.length), 1)[0]?.slot ?? '';
  };
  const CHECKED = { identityChecked: 'called back' };
  const open = async (): Promise<Input> => ({ case: (await create()).id });
  const booked = async (): Promise<Input> => {
    const { id } = await create();
    await operator.done(`case book ${id} --identity-checked x --slot ${await freeSlot(id)}`);
    return { case: id };
  };
  const bound = async (): Promise<Input> => {
    const { id } = await create();
    expect((await (await logIn(service, id)).get('')).status).toBe(200);
    return { case: id };
  };
  /** For an operator. */
  const waiting = async (): Promise<Input> => {
    const { id } = await create();
    await service.nobody.post(`/booking/${id}/assistance`, { message: 'hjelp' });
    await until(id, ({ status }) => status === 'assistance_requested');
    return { case: id };
  };
  const key = async (): Promise<Input> => {
    const { id } = await operator.json(`key create ${service.partnerId} --name claims`);
    return { partner: service.partnerId, key: id };
  };
  const user = async (): Promise<Input> => ({ email: (await activeUser()).email });
  let names = 0;
  const fresh = () => `new-${service.partnerId}-${(names += 1)}`;
  const statusOf = async ({ case: id }: Input) => (await read(String(id))).status;

  const TASKS: readonly {
    readonly what: string;
    readonly name: OperationName;
    readonly given?: () => Promise<Input>;
    readonly input?: Input;
    /** What whoever does it has done before. */
    readonly before?: (input: Input, who: Actor) => Promise<unknown>;
    /** Has it been done? */
    readonly so?: (input: Input) => Promise<unknown>;
    /** What stands in the log where it is not called like the operation. */
    readonly logged?: string;
    /** It may be done to the same again; what changes nothing always may. */
    readonly isRepeatable?: boolean;
  }[] = [
    {
      what: 'sees what needs an operator',
      name: 'case list',
      given: async () => {
        await waiting();
        return { attention: 'assistance' };
      },
    },
    { what: 'sees what nobody works on yet', name: 'attention', input: { takenBy: 'nobody' } },
    { what: 'takes a case', name: 'case take', given: waiting },
    {
      what: 'hands a case back',
      name: 'case hand-back',
      given: waiting,
      input: {},
      before: (input, who) => operator.call('case take', input, { as: who }),
    },
    {
      what: 'tells colleagues something',
      name: 'case note',
      given: open,
      input: { text: 'calls back' },
      isRepeatable: true,
    },
    { what: 'looks where a case stands', name: 'case show', given: open },
    {
      what: 'sees who the customer is',
      name: 'case show',
      given: open,
      input: { reveal: true, reason: 'to call back', ticket: 'S-1' },
      logged: 'case.reveal',
    },
    { what: 'reads free times to somebody', name: 'case availability', given: open },
    {
      what: 'books for a customer without eID',
      name: 'case book',
      given: async () => {
        const { id } = await create();
        return { case: id, slot: await freeSlot(id), ...CHECKED };
      },
      so: async (input) => expect(await statusOf(input)).toBe('booked'),
    },
    {
      what: 'books another time instead',
      name: 'case change',
      given: async () => {
        const { case: id } = await booked();
        await until(String(id), ({ booking }) => booking !== null && booking.transferredAt !== null);
        return { case: id, slot: await freeSlot(String(id)), ...CHECKED };
      },
    },
    {
      what: 'cancels an appointment',
      name: 'case cancel',
      given: booked,
      input: CHECKED,
      so: async (input) => expect(await statusOf(input)).toBe('pending_patient_action'),
    },
    {
      what: 'corrects an address',
      name: 'case correct',
      given: open,
      input: { email: 'karin@example.com' },
      so: async ({ case: id }) => expect((await read(String(id))).patientEmail).toBe('karin@example.com'),
    },
    {
      what: 'sends the link again',
      name: 'case resend',
      given: open,
      input: { channel: 'email' },
      isRepeatable: true,
    },
    {
      what: 'gives a case more time',
      name: 'case move-deadline',
      given: open,
      input: { date: today(40) },
      so: async ({ case: id }) => expect((await read(String(id))).bookingDeadline).toBe(today(40)),
    },
    {
      what: 'settles a request for help',
      name: 'case resolve-assistance',
      given: waiting,
      input: { note: 'explained by phone' },
      so: async (input) => expect(await statusOf(input)).toBe('pending_patient_action'),
    },
    {
      what: 'recalls a case for its partner',
      name: 'case recall',
      given: open,
      input: { reason: 'Settled otherwise' },
      so: async (input) => expect(await statusOf(input)).toBe('recalled'),
    },
    {
      what: 'closes a case for good',
      name: 'case archive',
      given: async () => {
        const { id } = await create();
        await service.partner.post(`/cases/${id}/recall`);
        return { case: id };
      },
      so: async (input) => expect(await statusOf(input)).toBe('archived'),
    },
    {
      what: 'takes a case from the wrong person',
      name: 'case unbind',
      given: bound,
      input: { reason: 'a namesake' },
    },
    {
      what: 'lets the right person in again',
      name: 'case readmit',
      given: async () => {
        const { case: id } = await bound();
        await operator.done(`case unbind ${String(id)} --reason x --yes`);
        return { case: id, reason: 'it was her' };
      },
    },
    {
      what: 'registers an insurer',
      name: 'partner add',
      given: async () => ({ id: fresh(), name: 'Trygg Nord' }),
    },
    {
      what: 'gives it a key',
      name: 'key create',
      given: async () => ({ partner: service.partnerId, name: 'statistics', scope: ['cases:read'] }),
    },
    { what: 'replaces a key', name: 'key rotate', given: key, input: { overlapHours: 2 } },
    { what: 'ends a key that leaked', name: 'key revoke', given: key },
    {
      what: 'gives somebody an account',
      name: 'user add',
      given: async () => ({ partner: service.partnerId, email: `${fresh()}@fjordtrygd.example` }),
    },
    { what: 'helps who forgot the password', name: 'user activate', given: user },
    { what: 'keeps somebody out', name: 'user suspend', given: user, input: { reason: 'a stolen laptop' } },
    { what: 'sees what is wrong at the clinics', name: 'provider problems' },
    { what: 'sees which version has the cases', name: 'worker versions' },
    { what: 'compares cases with their workflows', name: 'reconcile' },
    { what: 'reads who did what', name: 'log', input: { limit: 5 } },
  ];

  /** Confirmed where it asks. */
  const byApi = async (name: OperationName, input: Input) => {
    const first = await operator.call(name, input, { as: ola });
    const { confirm } = first.body.details ?? {};
    return confirm === undefined ? first : operator.call(name, { ...input, confirm }, { as: ola });
  };
  const newest = async () => (await operator.json('log --limit 1')).data[0];
  let sirisOffice: ReturnType<typeof office.logIn>;
  beforeAll(() => void (sirisOffice = office.logIn(siri)));

  it.each(TASKS.map((task) => [task.what, task] as const))(
    '%s, on the command line, by the API and in the back office, and the log says who',
    async (_, { name, given = async () => ({}), input: more = {}, before, so, logged, isRepeatable }) => {
      const changes = DESCRIPTIONS.find((one) => one.name === name)?.changes === true;
      const action = logged ?? (changes ? name.replace(' ', '.') : null);

      const first = { ...(await given()), ...more };
      const another = async () => (!changes || isRepeatable ? first : { ...(await given()), ...more });
      await before?.(first, kari);
      const described: Description | undefined = DESCRIPTIONS.find((one) => one.name === name);
      const asks = described?.asks;
      const argv = [...typed(name, first), ...(asks ? ['--yes'] : [])];
      const { exit, out, err } = await operator.run(argv, { as: kari });
      expect([exit, err]).toEqual([0, expect.stringContaining('As kari, test environment.')]);
      expect(out).not.toBe('');
      await so?.(first);
      const entry = { action, outcome: 'done', operatorSubject: 'subject-of-kari', via: 'token' };
      if (action !== null) expect(await newest()).toMatchObject(entry);

      const second = await another();
      await before?.(second, ola);
      const { status, body } = await byApi(name, second);
      expect([status, body.as]).toEqual([200, 'ola']);
      await so?.(second);
      if (action !== null)
        expect(await newest()).toMatchObject({ ...entry, operatorSubject: 'subject-of-ola' });

      const third = await another();
      await before?.(third, siri);
      const page = await (await sirisOffice).perform(name, third);
      expect([page.status, page.text]).toEqual([200, expect.stringMatching(/\S/)]);
      await so?.(third);
      if (action !== null)
        expect(await newest()).toMatchObject({
          ...entry,
          operatorSubject: 'subject-of-siri',
          via: 'session',
        });
    },
  );
});
