import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { logIn } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { BY_BOTH, today } from '../support/new-case.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { startService, type TestService } from '../support/service.ts';
import { actor, operatorOf } from './command.ts';

const NAMESAKE = { givenName: 'Kari', familyName: 'Nordmann', birthDate: '1999-09-09' };

describe('the operator acts on cases', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ worker: true, messages: true, eid: true, clinics: ['fjordklinikken'] });
  });
  afterAll(() => service.stop());

  const { act, create, notified, read, timeline, until } = partnersCases(() => service);
  const { by, done, json, refuses, run } = operatorOf(() => service);

  const booked = async () => {
    const { id } = await create();
    // on a busy machine the clinic's first answer takes too long
    const free = () => json(`case availability ${id}`).then(({ slots }) => slots[0]);
    const { slot } = await eventually<any>(free, { what: 'the clinic answers' });
    await done(`case book ${id} --slot ${slot} --identity-checked x`);
    return id;
  };
  const actorsOf = async (id: string, wanted: string) =>
    (await timeline(id)).data.filter(({ type }) => type === wanted).map(({ actor }) => actor);
  const logOf = async (id: string) =>
    (await json(`log --case ${id}`)).data.map(({ action, note, outcome }: any) => [action, note, outcome]);

  describe('take', () => {
    const waiting = async () => {
      const { id } = await create();
      await service.nobody.post(`/booking/${id}/assistance`, { message: 'help' });
      await until(id, ({ status }) => status === 'assistance_requested');
      return id;
    };
    const [kari, ola] = [by(actor('kari')), by(actor('ola'))];
    const listed = async (who: string) =>
      (await kari.json(`attention --taken-by ${who}`)).data.map(({ caseId }: any) => caseId);

    it('shows who has a case, and what is free', async () => {
      const id = await waiting();
      expect(await listed('nobody')).toContain(id);
      await kari.done(`case take ${id}`);
      expect([await listed('me'), await listed('kari')]).toEqual([[id], [id]]);
      expect(await listed('nobody')).not.toContain(id);
      expect(await ola.done(`case show ${id}`)).toMatch(/Taken by +kari, /);
      await kari.done(`case hand-back ${id}`);
      expect(await listed('nobody')).toContain(id);
    });

    it('asks before a colleague’s case is taken over, and of two who take a free one lets one have it', async () => {
      const id = await waiting();
      const [first, second] = await Promise.all([kari.json(`case take ${id}`), ola.json(`case take ${id}`)]);
      expect([first, second].filter(({ changed }) => changed)).toHaveLength(1);
      const { takenBy } = await json(`case show ${id}`);
      const [holder, other] = takenBy === 'kari' ? [kari, ola] : [ola, kari];
      await other.refuses(1, `${takenBy} has it, not you`, `case hand-back ${id}`);
      await other.refuses(2, `${takenBy} has had this case since`, `case take ${id}`);
      await other.done(`case take ${id} --yes`);
      await holder.refuses(1, 'has it, not you', `case hand-back ${id}`);
    });

    it('is over when the case needs nobody any more', async () => {
      const id = await waiting();
      await kari.done(`case take ${id}`);
      await kari.done(`case note ${id} --text`, 'calls back tomorrow');
      await kari.done(`case resolve-assistance ${id}`);
      expect(await json(`case show ${id}`)).toMatchObject({
        takenBy: null,
        work: [
          { operator: 'kari', action: 'case.resolve-assistance', outcome: 'done' },
          { action: 'case.note', note: 'calls back tomorrow' },
          { action: 'case.take' },
        ],
      });
      await kari.refuses(1, 'needs nobody', `case take ${id}`);
    });
  });

  describe('cancel', () => {
    it('cancels as the operator, when the beginning of the id is typed', async () => {
      const id = await booked();
      const { exit, err } = await run(['case', 'cancel', id, '--reason', 'the clinic is closed'], {
        typed: [id.slice(0, 8)],
      });
      expect([exit, err]).toEqual([0, expect.stringContaining('cannot be undone')]);
      expect(await read(id)).toMatchObject({ status: 'pending_patient_action', booking: null });
      expect(await actorsOf(id, 'booking.cancelled')).toEqual(['operator']);
      expect((await logOf(id))[0]).toEqual(['case.cancel', 'the clinic is closed', 'done']);
    });

    it('leaves the case as it is when something else is typed, or nothing', async () => {
      const id = await booked();
      for (const typed of [['no'], [''], [id], []]) {
        const { exit, err } = await run(['case', 'cancel', id, '--reason', 'x'], { typed });
        expect([exit, err]).toEqual([1, expect.stringContaining('Nothing was changed.')]);
      }
      expect((await read(id)).status).toBe('booked');
      expect((await logOf(id)).map(([action]: any) => action)).toEqual(['case.book']);
    });

    it('does not wait for somebody who is not there', async () => {
      const id = await booked();
      await refuses(2, '--yes', `case cancel ${id} --reason x`);
      expect((await read(id)).status).toBe('booked');
    });

    it('wants to know why, or how the identity was checked', async () => {
      const id = await booked();
      await refuses(2, '--reason', `case cancel ${id} --yes`);
      await done(`case cancel ${id} --yes --identity-checked`, 'called back');
      expect((await logOf(id))[0]).toEqual(['case.cancel', 'Identity: called back', 'done']);
    });

    it('of what is cancelled already changes nothing, and asks nothing', async () => {
      const id = await booked();
      expect(await json(`case cancel ${id} --reason x --yes`)).toMatchObject({ changed: true });
      expect(await json(`case cancel ${id} --reason x`)).toMatchObject({
        changed: false,
        status: 'pending_patient_action',
      });
    });

    it('of what was never booked is refused with what is possible, and asks nothing', async () => {
      const { id } = await create();
      await notified(id);
      const { error } = await json(`case cancel ${id} --reason x`);
      expect(error).toMatchObject({
        code: 'ACTION_NOT_ALLOWED',
        status: 'pending_patient_action',
        possible: ['book', 'recall', 'move-deadline', 'correct', 'resend'],
      });
    });
  });

  describe('recall and archive', () => {
    it('end a case for good; the partner reads why', async () => {
      const { id } = await create();
      await done(`case recall ${id} --yes --reason`, 'Settled otherwise');
      expect(await read(id)).toMatchObject({ status: 'recalled', recall: { reason: 'Settled otherwise' } });
      expect(await json(`case recall ${id} --reason again --yes`)).toMatchObject({ changed: false });
      const typed = { typed: [id.slice(0, 8).toUpperCase()] };
      expect((await run(['case', 'archive', id], typed)).exit).toBe(0);
      expect(await actorsOf(id, 'case.recalled')).toEqual(['operator']);
      expect(await actorsOf(id, 'case.archived')).toEqual(['operator']);
      expect(await json(`case archive ${id} --yes`)).toMatchObject({ changed: false, possible: [] });
      await refuses(1, 'Nothing is possible any more.', `case recall ${id} --reason x --yes`);
    });

    it('needs a reason to recall', async () => {
      const { id } = await create();
      await refuses(2, '--reason', `case recall ${id} --yes`);
      await refuses(2, '', `case recall ${id} --yes --reason`, 'x'.repeat(1_001));
    });
  });

  describe('move-deadline', () => {
    it('moves the last day to book', async () => {
      const { id } = await create();
      await done(`case move-deadline ${id} ${today(40)}`);
      expect((await read(id)).bookingDeadline).toBe(today(40));
      expect(await actorsOf(id, 'case.deadline_moved')).toEqual(['operator']);
      expect(await json(`case move-deadline ${id} ${today(40)}`)).toMatchObject({ changed: false });
    });

    it.each([
      ['2026-02-30', 'calendar'],
      ['tomorrow', 'YYYY-MM-DD'],
      [today(-1), 'must not be in the past'],
      [today(366), 'up to 365 days ahead'],
    ])('refuses %s', async (date, why) => {
      const { id } = await create();
      await refuses(2, why, `case move-deadline ${id} ${date}`);
    });
  });

  describe('correct', () => {
    it('corrects an address, and sends the link there', async () => {
      const { id } = await create({ patientEmail: 'kari@refused.example' });
      await until(id, ({ status }) => status === 'error');
      await done(`case correct ${id} --email kari@example.com --phone`, '+47 900 00 000');
      expect(await read(id)).toMatchObject({
        patientEmail: 'kari@example.com',
        patientPhone: '+4790000000',
        status: 'pending_patient_action',
      });
      expect(await actorsOf(id, 'case.contact_changed')).toEqual(['operator']);
      expect(JSON.stringify(await logOf(id))).not.toMatch(/kari|9000/);
    });

    it("asks for what is not said, so that it stays out of the shell's history", async () => {
      const { id } = await create();
      const { exit } = await run(['case', 'correct', id, '--email', '--first-name'], {
        typed: ['new@example.com', 'Karin'],
      });
      expect(exit).toBe(0);
      expect(await read(id)).toMatchObject({ patientEmail: 'new@example.com', patientFirstName: 'Karin' });
      await refuses(2, 'nobody to ask', `case correct ${id} --email`);
    });

    it('names all that is wrong at once, and changes nothing', async () => {
      const { id } = await create();
      const err = await refuses(2, '', `case correct ${id} --email x --phone 12 --last-name Hansen`);
      expect(err).toMatch(/--email must be an? [^]*--phone must be a phone number/);
      expect(await read(id)).toMatchObject({ patientLastName: 'Nordmann' });
      await refuses(2, 'Say what to correct', `case correct ${id}`);
    });

    it('takes no number that gets no SMS as the only address', async () => {
      const { id } = await create({ ...BY_BOTH, patientEmail: null });
      await refuses(2, 'cannot get SMS', `case correct ${id} --phone +4722225555`);
    });

    it('of what is so already changes nothing', async () => {
      const { id } = await create(BY_BOTH);
      expect(await json(`case correct ${id} --phone +4790000000`)).toMatchObject({ changed: false });
    });

    it('leaves the name once somebody has logged in', async () => {
      const { id } = await create();
      expect((await (await logIn(service, id)).get('')).status).toBe(200);
      await refuses(1, 'case unbind', `case correct ${id} --last-name Hansen`);
    });
  });

  describe('resend', () => {
    it('sends the link again on the channel that is asked for, five times a day', async () => {
      const { id } = await create(BY_BOTH);
      await notified(id, 2);
      await done(`case resend ${id} --channel sms`);
      const { notifications } = await notified(id, 3);
      expect(notifications.filter(({ channel }) => channel === 'sms')).toHaveLength(2);
      for (let i = 0; i < 3; i += 1) await done(`case resend ${id}`);
      expect((await act(id, 'notifications', {})).status).toBe(200);
      const { error } = await json(`case resend ${id}`);
      expect(error).toMatchObject({ code: 'CASE_LIMIT_EXCEEDED' });
      expect(await actorsOf(id, 'link.resent')).toEqual([...Array<string>(4).fill('operator'), 'partner']);
    });

    it('is refused without such an address, and for another channel', async () => {
      const { id } = await create();
      await refuses(1, 'no address', `case resend ${id} --channel sms`);
      await refuses(2, '', `case resend ${id} --channel fax`);
    });
  });

  describe('retry', () => {
    it('goes on after an error', async () => {
      const { id } = await create({ patientEmail: 'kari@refused.example' });
      await until(id, ({ status }) => status === 'error');
      await done(`case retry ${id}`);
      expect(await actorsOf(id, 'case.retried')).toEqual(['operator']);
    });

    it('is refused where there is none', async () => {
      const { id } = await create();
      await notified(id);
      await refuses(1, '`case retry` is not possible', `case retry ${id}`);
    });
  });

  describe('resolve-assistance', () => {
    it('settles a request for help', async () => {
      const { id } = await create();
      await service.nobody.post(`/booking/${id}/assistance`, { message: 'hjelp' });
      await until(id, ({ status }) => status === 'assistance_requested');
      await done(`case resolve-assistance ${id} --note`, 'explained by phone');
      expect(await read(id)).toMatchObject({ status: 'pending_patient_action' });
      expect(await actorsOf(id, 'assistance.resolved')).toEqual(['operator']);
      expect((await logOf(id))[0]).toEqual(['case.resolve-assistance', 'explained by phone', 'done']);
      expect(await json(`case resolve-assistance ${id}`)).toMatchObject({ changed: false });
    });
  });

  describe('unbind', () => {
    it('forgets who had logged in, so that the next person of that name is bound', async () => {
      const { id } = await create();
      expect((await (await logIn(service, id, NAMESAKE)).get('')).body).toMatchObject({
        authenticated: true,
      });
      const right = await logIn(service, id);
      expect((await right.get('/availability')).status).toBe(403);
      const no = await run(['case', 'unbind', id, '--reason', 'a namesake'], { typed: ['yes'] });
      expect(no.exit).toBe(1);
      expect((await json(`case show ${id}`)).boundAt).toEqual(expect.any(String));
      expect(await done(`case unbind ${id} --yes --reason`, 'a namesake')).toContain('Unbound.');
      // who had logged in before is not bound by that: anybody may have, by the name alone
      expect((await right.get('/availability')).status).toBe(403);
      expect((await (await logIn(service, id)).get('/availability')).status).toBe(200);
      expect((await logOf(id))[0]).toEqual(['case.unbind', 'a namesake', 'done']);
    });

    it('logs them out everywhere, and keeps them out though their name matches, until they are readmitted', async () => {
      const [{ id }, other] = [await create(), await create()];
      const namesake = await logIn(service, id, NAMESAKE);
      const elsewhere = await logIn(service, other.id, NAMESAKE);
      for (const customer of [namesake, elsewhere])
        expect((await customer.get('/availability')).status).toBe(200);
      await done(`case unbind ${id} --yes --reason`, 'a namesake');
      for (const customer of [namesake, elsewhere])
        expect((await customer.get('/availability')).status).toBe(401);
      const back = await logIn(service, id, NAMESAKE);
      expect((await back.get('/availability')).status).toBe(403);
      expect((await json(`case show ${id}`)).boundAt).toBeNull();
      // their own case is theirs still
      const atHome = await logIn(service, other.id, NAMESAKE);
      expect((await atHome.get('/availability')).status).toBe(200);

      expect(await done(`case readmit ${id} --reason`, 'it was her')).toContain('Readmitted.');
      expect((await (await logIn(service, id, NAMESAKE)).get('/availability')).status).toBe(200);
      expect((await logOf(id))[0]).toEqual([
        'case.readmit',
        expect.stringMatching(/^Person \d+: it was her$/),
        'done',
      ]);
      expect(await json(`case readmit ${id} --reason x`)).toEqual({ caseId: id, changed: false });
    });

    it('is kept with the case: who it was, since when, and who unbound them why', async () => {
      const { id } = await create();
      await logIn(service, id, NAMESAKE).then((customer) => customer.get(''));
      await done(`case unbind ${id} --yes --reason`, 'a namesake');
      await logIn(service, id).then((customer) => customer.get(''));
      await done(`case unbind ${id} --yes --reason`, 'by mistake');
      const { unbound } = await json(`case show ${id}`);
      expect(unbound).toMatchObject([
        { boundAt: expect.any(String), unboundBy: expect.any(String), reason: 'a namesake' },
        { unboundAt: expect.any(String), reason: 'by mistake', readmittedAt: null },
      ]);
      expect(JSON.stringify(unbound)).not.toMatch(/Kari|Nordmann|1999/);
      const { personal } = await json(`case show ${id} --reveal --ticket S-1 --reason x`);
      expect(personal.unboundPersons).toMatchObject([
        { ...NAMESAKE, id: unbound[0].id },
        { givenName: 'Kari' },
      ]);
      expect(await done(`case show ${id}`)).toMatch(/Unbound[^]*a namesake +kept out/);

      await refuses(2, '--person', `case readmit ${id} --reason x`);
      await refuses(1, 'Nobody with the number', `case readmit ${id} --reason x --person 999999`);
      expect(await json(`case readmit ${id} --reason x --person ${unbound[1].id}`)).toMatchObject({
        changed: true,
      });
      expect((await (await logIn(service, id)).get('/availability')).status).toBe(200);
      expect((await (await logIn(service, id, NAMESAKE)).get('/availability')).status).toBe(403);
    });

    it('of a case that is bound to nobody changes nothing', async () => {
      const { id } = await create();
      expect(await json(`case unbind ${id} --reason x --yes`)).toEqual({ caseId: id, changed: false });
    });
  });

  it('an unknown case is 1 for every command, and nothing is asked', async () => {
    const commands = [
      ...['show', 'availability', 'cancel --reason x', 'recall --reason x', 'archive', 'retry', 'resend'],
      ...[
        'resolve-assistance',
        'unbind --reason x',
        'readmit --reason x',
        'book --identity-checked x',
        'change --identity-checked x',
      ],
      ...[`move-deadline:${today(3)}`, 'correct --first-name x', 'reveals'],
    ];
    for (const command of commands) {
      const [words = '', argument] = command.split(':');
      const [name = '', ...options] = words.split(' ');
      const argv = ['case', name, 'TF-unknown', ...(argument ? [argument] : []), ...options];
      const { exit, err } = await run(argv, { typed: ['yes'] });
      expect([command, exit, err]).toEqual([command, 1, expect.stringContaining('No case has')]);
    }
  });
});

describe('the operator acts while Temporal is away', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const { create } = partnersCases(() => service);
  const { run } = operatorOf(() => service);

  it('and is told that nothing happened', async () => {
    const { id } = await create();
    const { exit, err } = await run(['case', 'recall', id, '--reason', 'x', '--yes'], {
      settings: { TEMPORAL_ADDRESS: '127.0.0.1:9' },
    });
    expect([exit, err]).toEqual([69, expect.stringContaining('nothing was changed')]);
  });

  it('or, when no worker runs, that it may still happen', async () => {
    const { id } = await create();
    const { exit, err } = await run(['case', 'recall', id, '--reason', 'x', '--yes'], { timeout: 1_500 });
    expect([exit, err]).toEqual([69, expect.stringContaining('may have happened')]);
    const log = await run(['log', '--case', id, '--json']);
    expect(JSON.parse(log.out)).toMatchObject({ data: [{ outcome: 'OUTCOME_UNKNOWN' }] });
  });
});
