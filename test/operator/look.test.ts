import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { BY_BOTH, newCase, today } from '../support/new-case.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { startService, type TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { actor, operatorOf } from './command.ts';

/** All that is personal in the cases of this suite. */
const PERSONAL = /Kari|Nordmann|kari\.nordmann|90000000|Fall på isen|ring meg|hemmelig/i;
const FLAWED = 'ring meg, hemmelig \u001b[31m\u202e';

describe('the operator looks at cases', () => {
  const service = useService();

  const { create, notified, until } = partnersCases(() => service);
  const { by, done, json, refuses, run } = operatorOf(() => service);
  const askForHelp = async (id: string) => {
    await service.nobody.post(`/booking/${id}/assistance`, {
      message: FLAWED,
      preferredContact: 'phone',
      phone: '+4790011222',
      interpreter: 'Polish',
    });
    await until(id, ({ status }) => status === 'assistance_requested');
  };

  describe('case list', () => {
    it('shows cases of all partners, the newest first, and nothing personal', async () => {
      const first = await create();
      const second = (await service.otherPartner.post<{ id: string }>('/cases', newCase())).body;
      const { data } = await json('case list');
      const ids = data.map(({ id }: any) => id);
      expect(ids.indexOf(second.id)).toBeLessThan(ids.indexOf(first.id));
      const text = await done('case list');
      expect(text).toContain(first.id.slice(0, 8));
      expect(text + JSON.stringify(data)).not.toMatch(PERSONAL);
    });

    it('is narrowed by partner, status and time', async () => {
      const mine = await create();
      await service.partner.post(`/cases/${mine.id}/recall`);
      const idsOf = async (...options: readonly string[]) =>
        (await json('case list', ...options)).data.map(({ id }: any) => id);
      expect(await idsOf('--partner', service.partnerId, '--status', 'recalled')).toContain(mine.id);
      expect(await idsOf('--status', 'booked', '--status', 'recalled')).toContain(mine.id);
      expect(await idsOf('--partner', service.otherPartnerId)).not.toContain(mine.id);
      expect(await idsOf('--status', 'booked')).not.toContain(mine.id);
      expect(await idsOf('--since', today())).toContain(mine.id);
      expect(await idsOf('--since', today(1))).toEqual([]);
    });

    it('says when there are more', async () => {
      await create();
      await create();
      expect(await done('case list --limit 1')).toContain('There are more: --limit 2 shows them.');
      expect(await json('case list --limit 1')).toMatchObject({ data: [expect.anything()], more: true });
    });

    it.each([
      [['--partner', 'nobody'], 1, 'no partner "nobody"'],
      [['--status', 'bookd'], 2, 'pending_patient_action'],
      [['--attention', 'much'], 2, 'undeliverable'],
      [['--since', 'yesterday'], 2, '2026-11-24'],
      [['--since', '2026-02-30'], 2, 'date'],
      [['--limit', '0'], 2, 'from 1 to'],
    ])('refuses %j', async (options, exit, why) => {
      await refuses(exit, why, 'case list', ...options);
    });
  });

  describe('case list --attention', () => {
    it('shows who asked for help and whom no message reaches, and each by itself', async () => {
      const [calm, asking] = [await create(), await create()];
      const lost = await create({ patientEmail: 'kari.nordmann@refused.example' });
      await askForHelp(asking.id);
      await until(lost.id, ({ status }) => status === 'error');
      const needing = async (...kind: readonly string[]) => {
        const { data } = await json('case list --attention', ...kind);
        return data.filter(({ id }: any) => [calm.id, asking.id, lost.id].includes(id));
      };
      expect(await needing()).toEqual([
        expect.objectContaining({ id: lost.id, attention: 'undeliverable' }),
        expect.objectContaining({ id: asking.id, attention: 'assistance' }),
      ]);
      expect(await needing('assistance')).toEqual([expect.objectContaining({ id: asking.id })]);
      expect(await needing('undeliverable')).toEqual([expect.objectContaining({ id: lost.id })]);
      expect(await needing('transfer_refused')).toEqual([]);
      const work = await json('attention --kind undeliverable --kind assistance');
      const ours = work.data.filter(({ caseId }: any) => [asking.id, lost.id].includes(caseId));
      expect(ours.map(({ kind }: any) => kind).sort()).toEqual(['assistance', 'undeliverable']);
      for (const { why, whatToDo, since } of ours)
        expect([why, whatToDo, since]).toEqual(Array(3).fill(expect.stringMatching(/\w/)));
    });
  });

  describe('case show', () => {
    it('shows where a case stands by the beginning of its id or its reference, and nothing personal', async () => {
      const { id, partnerCaseId, bookingDeadline } = await create();
      await notified(id);
      await askForHelp(id);
      // on a busy machine the workflow may not answer in time; what is shown then has a test of its own
      const shown = await eventually(async () => {
        const it = await json(`case show ${id}`);
        return it.source === 'workflow' && it;
      });
      expect(shown).toMatchObject({
        id,
        partnerId: service.partnerId,
        status: 'assistance_requested',
        attention: 'assistance',
        source: 'workflow',
        bookingDeadline,
        boundAt: null,
        bookings: [],
        requests: [{ preferredContact: 'phone', hasMessage: true }],
        verification: { policy: null, referral: null },
      });
      expect(shown.possible).toEqual([
        'book',
        'resolve-assistance',
        'recall',
        'move-deadline',
        'correct',
        'resend',
      ]);
      expect(shown.now).toContain('asked for help');
      expect(shown.messages).toContainEqual(
        expect.objectContaining({ kind: 'invitation', channel: 'email', status: 'sent' }),
      );
      expect(shown.timeline[0]).toMatchObject({ type: 'case.created', actor: 'partner' });
      const text = await eventually(async () => {
        const it = await done(`case show ${id.slice(0, 8).toUpperCase()}`);
        return it.includes('as its workflow says now') && it;
      });
      expect(text).toMatch(/expires \d{4}-\d\d-\d\d 00:00 CES?T/);
      expect(text + JSON.stringify(shown)).not.toMatch(PERSONAL);
      expect((await json(`case show ${partnerCaseId}`)).id).toBe(id);
    });

    it('tells of an appointment when it begins before when it ends', async () => {
      const { id } = await create();
      await service.partner.post(`/sandbox/cases/${id}/book`);
      const confirmed = /booking\.confirmed.*bookingId [\da-f]{8}, providerId \w+, start .+, end .+/;
      expect(await done(`case show ${id}`)).toMatch(confirmed);
    });

    it('says of an unknown case that there is none', async () => {
      for (const text of [
        '7f0c1c62-0000-4000-8000-000000000000',
        '7f0c1c62',
        'TF-nothing',
        '7f0',
        "x' OR true --",
      ])
        await refuses(1, `"${text}"`, 'case show', text);
      expect(await json('case show nothing')).toMatchObject({ error: { code: 'NOT_FOUND' } });
    });

    it('asks for the id where a reference means several cases', async () => {
      const one = await create();
      const other = await create({ partnerCaseId: one.partnerCaseId, treatmentType: 'physiotherapy' });
      const err = await refuses(2, one.id, `case show ${one.partnerCaseId}`);
      expect(err).toContain(`${other.id}  ${service.partnerId}  physiotherapy`);
      const { error } = await json(`case show ${one.partnerCaseId}`);
      expect(error.caseIds.sort()).toEqual([one.id, other.id].sort());
    });

    it('fits into a narrow terminal', async () => {
      const { id } = await create();
      await notified(id);
      const { out } = await run(['case', 'show', id], { columns: 60 });
      const long = out.split('\n').filter((line) => line.length > 60 && !line.startsWith('Link'));
      expect(long).toEqual([]);
    });
  });

  describe('case show --reveal', () => {
    it('shows who the customer is to whoever says why', async () => {
      const { id } = await create(BY_BOTH);
      await askForHelp(id);
      const { personal } = await json(`case show ${id} --reveal --ticket S-1 --reason`, 'to call back');
      expect(personal).toMatchObject({
        firstName: 'Kari',
        lastName: 'Nordmann',
        email: 'kari.nordmann@example.com',
        phone: '+4790000000',
        injuryDescription: 'Fall på isen',
        boundPerson: null,
        requests: [{ message: FLAWED, phone: '+4790011222', interpreter: 'Polish', helper: null }],
      });
      const text = await done(`case show ${id} --reveal --ticket S-1 --reason x`);
      expect(text).toContain('Kari Nordmann');
      expect(text).toContain('ring meg, hemmelig');
    });

    it.each([[[]], [['--json']]])('lets what a customer wrote not steer the terminal %j', async (options) => {
      const { id } = await create();
      await askForHelp(id);
      const { out } = await run([
        'case',
        'show',
        id,
        '--reveal',
        '--ticket',
        'S-1',
        '--reason',
        'x',
        ...options,
      ]);
      expect(out).toContain('hemmelig');
      // oxlint-disable-next-line no-control-regex -- that is what must not be there
      expect(out).not.toMatch(/[\u001b\u202e]/);
    });

    it('without a reason is called wrongly, as is a reason without it', async () => {
      const { id } = await create();
      await refuses(2, '--reason', `case show ${id} --reveal`);
      await refuses(2, '--ticket', `case show ${id} --reveal --reason x`);
      await refuses(2, '--reason must not be empty', `case show ${id} --reveal --ticket S-1 --reason`, '  ');
      await refuses(2, '', `case show ${id} --reason x`);
      expect(await json(`case reveals ${id}`)).toEqual({ data: [] });
    });

    it('is logged with who, when, which case and why', async () => {
      const { id } = await create();
      const kari = by(actor('kari', ['reveal']));
      await kari.json(`case show ${id} --reveal --ticket S-4711 --reason`, 'she asked to be called');
      await json(`case show ${id} --reveal --ticket S-2 --reason second`);
      const { data } = await json(`case reveals ${id.slice(0, 8)}`);
      expect(data).toMatchObject([
        { operator: 'ola', note: 'second' },
        {
          operator: 'kari',
          action: 'case.reveal',
          caseId: id,
          note: 'she asked to be called',
          operatorSubject: 'subject-of-kari',
          ticket: 'S-4711',
          via: 'token',
          outcome: 'done',
        },
      ]);
      expect(Math.abs(Date.parse(data[0].at) - Date.now())).toBeLessThan(60_000);
      expect((await json('case reveals')).data.map(({ caseId }: any) => caseId)).toContain(id);
      expect(await done('case reveals')).toContain('she asked to be called');
    });

    it('is for those who have the role for it, whatever others they have', async () => {
      const { id } = await create();
      const support = by(actor('ola', ['support', 'platform', 'onboarding', 'auditor']));
      expect(await support.done(`case show ${id}`)).toContain('Now');
      await support.refuses(1, 'takes the role reveal', `case show ${id} --reveal --ticket S-1 --reason x`);
      expect(await json(`case reveals ${id}`)).toEqual({ data: [] });
    });

    it('shows nothing when it can not be logged', async () => {
      const { id } = await create();
      const settings = { OPERATOR_DATABASE_URL: readOnly(service.databaseUrl) };
      const reveal = ['case', 'show', id, '--reveal', '--reason', 'x', '--ticket', 'S-1'];
      const { exit, out, err } = await run(reveal, { settings });
      expect([exit, out]).toEqual([69, '']);
      expect(err).not.toMatch(PERSONAL);
    });
  });
});

/** A connection that may look and not write. */
const readOnly = (url: string): string => `${url}?options=-c%20default_transaction_read_only%3Don`;

describe('the operator looks at a case whose workflow does not answer', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const { create } = partnersCases(() => service);
  const { done, json } = operatorOf(() => service);

  it('and is shown what was written down last, and told so', async () => {
    const { id } = await create();
    expect(await done(`case show ${id}`)).toContain('its workflow has not started yet; as stored');
    const worker = await service.work();
    await eventually(async () => (await json(`case show ${id}`)).source === 'workflow', {
      what: 'it is started',
    });
    await worker.stop();
    expect(await done(`case show ${id}`)).toContain('its workflow does not answer now; as stored');
    expect(await json(`case show ${id}`)).toMatchObject({
      source: 'projection',
      status: 'pending_patient_action',
    });
  });
});
