import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { asRole } from '../../dev/postgres/server.ts';
import { actor, operatorOf } from '../operator/command.ts';
import { pageVisitor } from '../pages/page-visitor.ts';
import { commitsWhile } from '../support/access-commits.ts';
import { partnerAccounts } from '../support/partner-user.ts';
import { newCase } from '../support/new-case.ts';
import { partnersCases, refusalOf } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';

interface Entry {
  readonly who: string;
  readonly whoId: string | null;
  readonly partnerId: string | null;
  readonly action: string;
  readonly outcome: string;
  readonly caseIds: readonly string[];
  readonly network: string | null;
  readonly requestId: string | null;
}

describe('who read what', () => {
  const service = useService('api');
  const { create } = partnersCases(() => service);
  const { activeUser, newUser } = partnerAccounts(() => service);
  const { json, refuses, by } = operatorOf(() => service);
  let id: string;
  beforeAll(async () => {
    ({ id } = await create());
  });

  const ofCase = async (of = id): Promise<readonly Entry[]> =>
    (await json<{ data: Entry[] }>(`access case ${of}`)).data;
  const said = ({ who, partnerId, action, outcome }: Entry) => [who, partnerId, action, outcome];

  it('has a partner’s reads, and lists with all that were in them, by its key, network and request', async () => {
    const from = { 'X-Forwarded-For': '192.0.2.66' };
    const other = await create();
    const read = await service.partner.get(`/cases/${id}`, from);
    await service.partner.get('/cases', from);
    await service.partner.get('/events', from);
    const [feed, list, one, created] = await ofCase();
    const { partnerId } = service;
    expect([feed, list, one, created].map((entry) => entry && said(entry))).toEqual([
      ['partner_key', partnerId, 'listEvents', 'done'],
      ['partner_key', partnerId, 'listCases', 'done'],
      ['partner_key', partnerId, 'getCase', 'done'],
      ['partner_key', partnerId, 'createCase', 'done'],
    ]);
    expect(list?.caseIds).toEqual(expect.arrayContaining([id, other.id]));
    expect(one).toMatchObject({ network: '192.0.2.0/24', requestId: read.headers.get('x-request-id') });

    const ofKey = await json<{ data: Entry[] }>(`access by ${one?.whoId} --from 2026-01-01 --limit 3`);
    expect(ofKey.data.map(({ action }) => action)).toEqual(['listEvents', 'listCases', 'getCase']);
    expect((await json<{ data: Entry[] }>(`access by ${one?.whoId} --to 2026-01-01`)).data).toEqual([]);

    const touched = await json<{ data: { caseId: string; times: number; partnerCaseId: string }[] }>(
      'access address 192.0.2.1',
    );
    expect(touched.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ caseId: id, times: 3 }),
        expect.objectContaining({ caseId: other.id, times: 2, partnerCaseId: other.partnerCaseId }),
      ]),
    );
  });

  it('answers nothing whose entry can not be kept, a case that is handed over either', async () => {
    const owner = new pg.Client({ connectionString: asRole(service.databaseUrl, 'booking_owner') });
    await owner.connect();
    try {
      await owner.query('ALTER TABLE access_log ADD CONSTRAINT no_more CHECK (false) NOT VALID');
      const refused = [
        await service.partner.post('/cases', newCase()),
        await service.partner.get(`/cases/${id}`),
      ];
      expect(refused.map(refusalOf)).toMatchObject([
        { http: 500, code: 'OUTCOME_UNKNOWN' },
        { http: 500, code: 'INTERNAL_ERROR' },
      ]);
    } finally {
      await owner.query('ALTER TABLE access_log DROP CONSTRAINT IF EXISTS no_more');
      await owner.end();
    }
  });

  it('has who was refused: another partner, a stranger at the page, a call without a key', async () => {
    const theirs = await create();
    await service.otherPartner.get(`/cases/${theirs.id}`);
    await pageVisitor(service).get(`/b/${theirs.id}/times`);
    await service.nobody.get(`/cases/${theirs.id}`);
    expect((await ofCase(theirs.id)).slice(0, 3).map(said)).toEqual([
      ['nobody', null, 'getCase', 'INVALID_API_KEY'],
      ['nobody', null, 'page.times', 'EID_LOGIN_REQUIRED'],
      ['partner_key', service.otherPartnerId, 'getCase', 'CASE_NOT_FOUND'],
    ]);
  });

  it('has the customer: the login, and each page', async () => {
    const { id: own } = await create();
    const kari = pageVisitor(service);
    await kari.logIn(own);
    await kari.get(`/b/${own}/help`);
    const [help, login] = (await ofCase(own)).filter(({ who }) => who === 'customer');
    expect([help, login].map((entry) => entry && said(entry))).toEqual([
      ['customer', null, 'page.help', 'done'],
      ['customer', null, 'login', 'done'],
    ]);
    expect(help?.whoId).toBe(login?.whoId);
  });

  it('tells the customer, and nobody else, who has seen the case', async () => {
    const { id: own } = await create();
    const kari = pageVisitor(service);
    expect((await kari.get(`/b/${own}/access`)).text).not.toContain('ganger');
    await kari.logIn(own);
    expect((await kari.get(`/b/${own}/access`)).text).toContain('Ingen andre enn du har åpnet saken ennå.');
    for (let i = 0; i < 3; i += 1) await service.partner.get(`/cases/${own}`);
    await service.partner.get('/cases');
    const ola = pageVisitor(service);
    await ola.logIn(own, { givenName: 'Ola', familyName: 'Hansen' });
    await ola.get(`/b/${own}/times`);
    const { title, text } = await kari.get(`/b/${own}/access`);
    expect(title).toBe('Hvem har sett saken din');
    expect(text).toMatch(/Fjordtrygd Forsikring åpnet saken din 3 ganger, sist \d/);
    expect(text).toContain('Fjordtrygd Forsikring hentet en liste der saken din sto, ');
    expect(text).toMatch(/Noen andre logget inn med lenken din, .*De fikk ikke se noe\./);
    expect(text).not.toContain('Ingen andre enn du');
    expect((await kari.get(`/b/${own}/help`)).text).toContain(`href="/b/${own}/access"`);
  });

  it('names the account of a login, also of one that failed, and none where there is none', async () => {
    const { partnerId } = service;
    const { email, password } = await activeUser(partnerId);
    const { email: unactivated } = await newUser(partnerId);
    for (const credentials of [
      { email, password },
      { email, password: 'not the password' },
      { email: unactivated, password },
    ])
      await service.nobody.post('/auth/login', credentials, { 'X-Forwarded-For': '192.0.2.200' });
    const { data } = await json<{ data: { id: string; email: string }[] }>(`user list ${partnerId}`);
    const user = data.find((one) => one.email === email);
    const logins = (await json<{ data: Entry[] }>(`access by ${user?.id}`)).data;
    expect(logins.map(said)).toEqual([
      ['partner_user', partnerId, 'login', 'INVALID_CREDENTIALS'],
      ['partner_user', partnerId, 'login', 'done'],
    ]);
  });

  it('has operators, what they list, and what was revealed to them', async () => {
    const { id: own } = await create();
    const berit = by(actor('berit'));
    await berit.done(`case list --partner ${service.partnerId}`);
    await berit.done(`case show ${own.slice(0, 8)} --reveal --ticket S-1 --reason`, 'a call');
    const seen = (await ofCase(own)).filter(({ who }) => who === 'operator');
    expect(seen.map(({ action, outcome, whoId }) => [action, outcome, whoId])).toEqual([
      ['case.reveal', 'done', 'subject-of-berit'],
      ['case.list', 'done', 'subject-of-berit'],
    ]);
  });

  it('is for auditors alone, and its chain and the operators’ are whole', async () => {
    const support = by(actor('sigrid', ['support']));
    await support.refuses(1, 'auditor', `access case ${id}`);
    await refuses(2, 'IP address', 'access address here');
    const { data } = await json<{ data: { log: string; rows: number; broken: unknown }[] }>('access verify');
    expect(data.map(({ log, broken }) => [log, broken])).toEqual([
      ['access_log', null],
      ['operator_log', null],
      ['operator_log_outcomes', null],
    ]);
    for (const { rows } of data) expect(rows).toBeGreaterThan(0);
  });
});

describe('what an answer waits for', () => {
  const service = useService();
  const { create } = partnersCases(() => service);

  it('is not the disk where nothing was changed, or what was changed says who did it', async () => {
    const kari = pageVisitor(service);
    const { id: own } = await create();
    const commits = await commitsWhile(service.databaseUrl, async () => {
      await service.partner.get(`/cases/${own}`);
      await service.partner.get('/cases');
      const { id: other } = await create();
      await service.partner.post(`/cases/${other}/recall`, {});
      await kari.logIn(own);
      await kari.get(`/b/${own}/help`);
    });
    expect(new Map(commits.filter(([action]) => !action.startsWith('message')))).toEqual(
      new Map([
        ['getCase', 'soon'],
        ['listCases', 'soon'],
        ['createCase', 'soon'],
        ['recallCase', 'durable'],
        ['login', 'durable'],
        ['page.login', 'durable'],
        ['page.help', 'soon'],
      ]),
    );
  });
});
