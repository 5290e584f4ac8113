import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { createCaller } from '../support/caller.ts';
import { newCase, today } from '../support/new-case.ts';
import { partnerAccounts } from '../support/partner-user.ts';
import { startService, type TestService } from '../support/service.ts';
import { actor, operatorOf } from './command.ts';

describe('the operator and the partners', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const { by, done, json, refused, refuses, run } = operatorOf(() => service);
  const { activeUser, logIn: logInAs, withToken } = partnerAccounts(() => service);
  const statusWith = async (key: string) =>
    (await createCaller(service.apiUrl, { 'X-API-Key': key }).get('/cases')).status;

  describe('partner', () => {
    it('is added, listed with its cases, and renamed', async () => {
      await done('partner add tryggnord --name', 'Trygg Nord');
      expect(await done('partner list')).toMatch(/tryggnord +Trygg Nord +0 +\d{4}-\d\d-\d\d \d\d:\d\d CES?T/);
      await done('partner rename tryggnord --name', 'Trygg Nord ASA');
      const { data } = await json('partner list');
      expect(data).toContainEqual({
        id: 'tryggnord',
        name: 'Trygg Nord ASA',
        cases: 0,
        createdAt: expect.any(String),
        suspendedAt: null,
      });
    });

    it('that is suspended is out at once, keys and users alike, until it is resumed; its customers are not', async () => {
      const { key } = await json('key create polar --name claims');
      const cases = createCaller(service.apiUrl, { 'X-API-Key': key });
      const { id } = (await cases.post<{ id: string }>('/cases', newCase())).body;
      const user = await activeUser(service.otherPartnerId);
      const loggedIn = withToken(await logInAs(user));
      const no = await run(['partner', 'suspend', 'polar', '--reason', 'x'], { typed: ['no'] });
      expect([no.exit, no.err]).toEqual([1, expect.stringContaining('until `operator partner resume`')]);
      expect(await statusWith(key)).toBe(200);

      await done('partner suspend polar --yes --reason', 'a key was published');
      expect(await cases.get('/cases')).toMatchObject({
        status: 401,
        body: { details: { code: 'INVALID_API_KEY', reason: 'not_accepted' } },
      });
      expect((await loggedIn.get('/auth/me')).status).toBe(401);
      expect((await service.nobody.post('/auth/login', user)).status).toBe(401);
      expect((await service.partner.get('/cases')).status).toBe(200);
      expect((await service.nobody.get(`/booking/${id}`)).status).toBe(200);
      expect(await done('partner list')).toMatch(/polar .* \d{4}-\d\d-\d\d \d\d:\d\d CES?T +\d{4}-/);
      expect(await json('partner suspend polar --yes --reason again')).toMatchObject({ changed: false });

      await done('partner resume polar');
      expect(await statusWith(key)).toBe(200);
      // by a new login only
      expect((await loggedIn.get('/auth/me')).status).toBe(401);
      expect((await withToken(await logInAs(user)).get('/auth/me')).status).toBe(200);
      expect(await json('partner resume polar')).toMatchObject({ changed: false });
      const { data } = await json('log --action partner.suspend');
      expect(data).toContainEqual(
        expect.objectContaining({ subject: 'polar', note: 'a key was published', outcome: 'done' }),
      );
    });

    it('may have its references hashed in Temporal', async () => {
      expect(await done('partner references fjordtrygd --show hashed')).toContain('hashed');
      expect(await done('log --action partner.references')).toContain('fjordtrygd');
      expect(await done('partner references fjordtrygd --show plain')).toContain('as they are');
    });

    it('of an id that is taken is refused, refuses, and stays as it is', async () => {
      await refuses(1, 'There is a partner fjordtrygd already.', 'partner add fjordtrygd --name x');
      expect(await done('partner list')).toContain('Fjordtrygd Forsikring');
    });

    it('that is not there is refused, refuses, with those that are', async () => {
      expect(await refused('partner rename nobody --name x')).toEqual([
        1,
        expect.stringMatching(/no partner "nobody"\. There are: fjordtrygd, polar/),
      ]);
      const { error } = await json('key list nobody');
      expect(error).toMatchObject({ code: 'NOT_FOUND', partners: expect.arrayContaining(['polar']) });
    });

    it.each([
      [['partner', 'add', 'Trygg Nord', '--name', 'x'], 'a-z, 0-9 and -'],
      [['partner', 'add', 'x', '--name', ' '], 'must not be empty'],
      [['partner', 'add', 'x'], '--name'],
    ])('%j is called wrongly', async (argv, why) => {
      const { exit, out, err } = await run(argv);
      expect([exit, out]).toEqual([2, '']);
      expect(err).toContain(why);
    });
  });

  describe('partner import', () => {
    const HEADINGS =
      'partnerCaseId;patientFirstName;patientLastName;patientEmail;patientPhone;injuryDate;treatmentType;bookingDeadline';
    const row = (reference: string, email = `${reference}@example.com`) =>
      `${reference};Kari;"Nordmann; Hansen";${email};;2026-01-15;psychology;${today(14)}`;
    let directory: string;
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'cases-'));
    });
    afterAll(() => rm(directory, { recursive: true }));
    /** As a spreadsheet writes it. */
    const fileOf = async (...lines: string[]) => {
      const path = join(directory, `${randomUUID()}.csv`);
      await writeFile(path, `\ufeff${[HEADINGS, ...lines].join('\r\n')}\r\n`);
      return path;
    };
    const fresh = () => `import-${randomUUID().slice(0, 8)}`;
    const setAside = (id: string) =>
      service.database.query(sql.type(z.object({}))`UPDATE cases SET status = 'recalled' WHERE id = ${id}`);
    const casesOf = async (reference: string) =>
      (await service.partner.get<any>(`/cases?partnerCaseId=${reference}`)).body.data;
    const outcomes = ({ data }: any) => data.map(({ outcome }: any) => outcome);

    it('hands over a case for each line, as the API would, and says of each what became of it', async () => {
      const [one, two] = [fresh(), fresh()];
      const path = await fileOf(row(one), row(two));
      const report = await json('partner import fjordtrygd --yes', path);
      expect(report).toMatchObject({ created: 2, there: 0, wrong: 0, waiting: 0 });
      const [created] = await casesOf(one);
      expect(report.data[0]).toEqual({
        ...{ line: 2, partnerCaseId: one, outcome: 'created', caseId: created.id, faults: [] },
      });
      expect(created).toMatchObject({
        ...{ patientLastName: 'Nordmann; Hansen', patientPhone: null, status: 'pending_patient_action' },
      });
      const { body } = await service.partner.get<any>(`/cases/${created.id}/events`);
      expect(body.data[0]).toMatchObject({ type: 'case.created', actor: 'operator', apiKeyId: null });
      const { data } = await json('log --action partner.import');
      expect(data[0]).toMatchObject({ subject: 'fjordtrygd', note: '2 of 2 lines', outcome: 'done' });
    });

    it('makes nothing twice: a file goes on where a run was interrupted, whatever became of its cases', async () => {
      const [first, recalled, rest] = [fresh(), fresh(), fresh()];
      await json('partner import fjordtrygd --yes', await fileOf(row(first), row(recalled)));
      const [{ id }] = await casesOf(recalled);
      await setAside(id);
      const path = await fileOf(row(first), row(recalled), row(rest));
      const report = await json('partner import fjordtrygd --yes', path);
      expect(outcomes(report)).toEqual(['there', 'there', 'created']);
      expect(report.data[1].caseId).toBe(id);
      expect(outcomes(await json('partner import fjordtrygd --yes', path))).toEqual([
        'there',
        'there',
        'there',
      ]);
      for (const reference of [first, recalled, rest]) expect(await casesOf(reference)).toHaveLength(1);
      expect(outcomes(await json('partner import polar --check', path))).toEqual([
        'waiting',
        'waiting',
        'waiting',
      ]);
    });

    it('names every fault of a line with its field, and hands over the others', async () => {
      const [good, bad] = [fresh(), fresh()];
      const path = await fileOf(
        row(good),
        `${bad};Kari;;no address;;2026-02-30;acupuncture;${today(-1)}`,
        row(good),
        `${row(fresh())};one cell too many`,
      );
      const report = await json('partner import fjordtrygd --yes', path);
      expect(report).toMatchObject({ created: 1, wrong: 3 });
      const fieldsOf = (line: number) => report.data[line].faults.map(({ field }: any) => field);
      expect(new Set(fieldsOf(1))).toEqual(
        new Set(['patientLastName', 'patientEmail', 'injuryDate', 'treatmentType', 'bookingDeadline']),
      );
      expect(report.data[2].faults).toEqual([
        { field: 'partnerCaseId', message: 'is that of line 2, for the same treatment.' },
      ]);
      expect(fieldsOf(3)).toEqual(['file']);
      const shown = await done('partner import fjordtrygd --check', path);
      expect(shown).toMatch(new RegExp(`3 +${bad} +wrong +.*patientLastName is required`));
      // what was sent is no part of the report, but for the reference
      expect(shown + JSON.stringify(report)).not.toMatch(/Nordmann|no address|import-\w+@/);
    });

    it('asks first, and with --check does nothing', async () => {
      const reference = fresh();
      const path = await fileOf(row(reference));
      const no = await run(['partner', 'import', 'fjordtrygd', path], { typed: ['no'] });
      expect([no.exit, no.err]).toEqual([
        1,
        expect.stringMatching(/1 case will be handed over[^]*Nothing was changed/),
      ]);
      expect(await json('partner import fjordtrygd --check', path)).toMatchObject({ created: 0, waiting: 1 });
      expect(await casesOf(reference)).toEqual([]);
    });

    it('refuses a file that is none of cases', async () => {
      const written = async (text: string | Buffer) => {
        const path = join(directory, 'other.csv');
        await writeFile(path, text);
        return path;
      };
      const wrong = (why: string, path: string) => refuses(2, why, 'partner import fjordtrygd --check', path);
      await wrong('no fields, or twice: shoe size', await written('partnerCaseId;shoe size\n1;2\n'));
      await wrong('a case below it', await written(`${HEADINGS}\n`));
      await wrong('is no CSV: line', await written(`${HEADINGS}\n"never closed\n`));
      await wrong('not UTF-8', await written(Buffer.from([0x70, 0xe5, 0x0a])));
      await wrong('can not be read: ENOENT', join(directory, 'nowhere.csv'));
      await wrong('up to 2000 cases', await written(`${HEADINGS}\n${'x\n'.repeat(2_001)}`));
      await refuses(1, 'no partner "nobody"', 'partner import nobody', await fileOf(row(fresh())));
      await by(actor('kari', ['support'])).refuses(
        1,
        '',
        'partner import fjordtrygd',
        await fileOf(row(fresh())),
      );
    });
  });

  describe('key', () => {
    it('is shown once, works, and is listed by its beginning', async () => {
      const { key, id, hint } = await json('key create fjordtrygd --name', 'claims system');
      expect(key).toMatch(/^tb_test_/);
      expect(await statusWith(key)).toBe(200);
      const listed = await done('key list fjordtrygd');
      expect(listed).toContain(`${hint}…`);
      expect(listed).toContain(id);
      expect(listed).not.toContain(key);
    });

    it('is rotated: the new one works at once, the old one for a while', async () => {
      const old = await json('key create fjordtrygd --name old');
      const fresh = await json(`key rotate fjordtrygd ${old.hint} --overlap-hours 2`);
      expect(await Promise.all([statusWith(old.key), statusWith(fresh.key)])).toEqual([200, 200]);
      expect(await done('key list fjordtrygd')).toMatch(new RegExp(`${old.hint}… +old +live until `));
      const last = await json(`key rotate fjordtrygd ${fresh.id} --overlap-hours 0`);
      expect(await Promise.all([statusWith(fresh.key), statusWith(last.key)])).toEqual([401, 200]);
      await refuses(1, 'has ended', `key rotate fjordtrygd ${fresh.id}`);
    });

    it('is revoked when that is meant, and not otherwise', async () => {
      const { key, id } = await json('key create fjordtrygd --name lost');
      const no = await run(['key', 'revoke', 'fjordtrygd', id], { typed: ['no'] });
      expect([no.exit, no.err]).toEqual([1, expect.stringContaining('Nothing was changed.')]);
      expect(await statusWith(key)).toBe(200);
      const yes = await run(['key', 'revoke', 'fjordtrygd', id], { typed: ['yes'] });
      expect([yes.exit, yes.err]).toEqual([0, expect.stringContaining('cannot be undone')]);
      expect(await statusWith(key)).toBe(401);
      expect(await json(`key revoke fjordtrygd ${id} --yes`)).toMatchObject({ id, changed: false });
    });

    it('is bound to an end, scopes and networks, and listed with them', async () => {
      const { id, hint, key } = await json(
        'key create fjordtrygd --scope cases:read --network 192.0.2.0/24 --network 2001:db8::/32 --expires 2099-01-01 --name bounded',
      );
      expect(await done('key list fjordtrygd')).toMatch(
        new RegExp(`${hint}… +bounded +live until 2099.* +cases:read, 192\\.0\\.2\\.0/24, 2001:db8::/32`),
      );
      expect(await statusWith(key)).toBe(403);
      const fresh = await json(`key rotate fjordtrygd ${id} --expires 2098-01-01`);
      expect(fresh).toMatchObject({
        scopes: ['cases:read'],
        allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'],
      });
      expect(fresh.expiresAt).toMatch(/^2097-12-31/);
      await refuses(2, 'CIDR', 'key create fjordtrygd --name x --network 192.0.2.1');
      await refuses(2, 'cases:read', 'key create fjordtrygd --name x --scope everything');
      await refuses(2, 'to come', 'key create fjordtrygd --name x --expires 2020-01-01');
    });

    it("of another partner is none of this one's", async () => {
      const { id } = await json('key create polar --name other');
      await refuses(1, `has no key "${id}"`, `key revoke fjordtrygd ${id} --yes`);
    });
  });

  describe('user', () => {
    const passwords = ['a first long passphrase', 'another long passphrase'] as const;
    const activate = (activationToken: string, password: string) =>
      service.nobody.post('/auth/activate', { activationToken, password });
    const logIn = async (email: string, password: string) =>
      (await service.nobody.post('/auth/login', { email, password })).status;

    it('gets an account, a one-time token to set a password with, and logs in', async () => {
      const email = 'kim@fjordtrygd.example';
      expect(await done(`user add fjordtrygd ${email}`)).toContain(`operator user activate ${email}`);
      expect(await done('user list fjordtrygd')).toMatch(/kim@.* no activation issued/);
      const text = await done(`user activate ${email}`);
      const token = /tb_act_\S+/.exec(text)?.[0] ?? '';
      expect(text).toContain(`POST ${service.url}/api/v1/auth/activate`);
      expect(await done('user list fjordtrygd')).toMatch(/kim@.* activation pending until /);
      expect((await activate(token, passwords[0])).status).toBe(201);
      expect(await logIn(email, passwords[0])).toBe(200);
      expect(await done('user list fjordtrygd')).toMatch(/kim@.* active /);
    });

    it('who forgot the password is asked about before it ends', async () => {
      const email = 'per@fjordtrygd.example';
      await done(`user add fjordtrygd ${email}`);
      await activate((await json(`user activate ${email}`)).activationToken, passwords[0]);
      expect((await run(['user', 'activate', email])).exit).toBe(2);
      expect((await run(['user', 'activate', email], { typed: ['no'] })).exit).toBe(1);
      expect(await logIn(email, passwords[0])).toBe(200);
      const { activationToken } = await json(`user activate ${email.toUpperCase()} --yes`);
      expect(await logIn(email, passwords[0])).toBe(401);
      expect((await activate(activationToken, passwords[1])).status).toBe(201);
      expect(await logIn(email, passwords[1])).toBe(200);
    });

    it('who is suspended is out at once, until they are resumed', async () => {
      const user = await activeUser();
      const loggedIn = withToken(await logInAs(user));
      await done(`user suspend ${user.email} --yes --reason`, 'a stolen laptop');
      expect((await loggedIn.get('/auth/me')).status).toBe(401);
      expect(await logIn(user.email, user.password)).toBe(401);
      expect(await done('user list fjordtrygd')).toMatch(new RegExp(`${user.email} +suspended since `));
      await done(`user resume ${user.email.toUpperCase()}`);
      expect((await loggedIn.get('/auth/me')).status).toBe(401);
      expect(await logIn(user.email, user.password)).toBe(200);
      expect(await json(`user resume ${user.email}`)).toMatchObject({ changed: false });
    });

    it('who has left is removed', async () => {
      const email = 'eva@polar.example';
      await done(`user add polar ${email}`);
      await done(`user remove ${email} --yes`);
      expect(await done('user list polar')).not.toContain(email);
      await refuses(1, 'Nobody has', `user remove ${email} --yes`);
      await refuses(1, 'Nobody has', `user activate ${email}`);
    });

    it('whose address is no address, or somebody else’s, is refused', async () => {
      await done('user add polar same@polar.example');
      await refuses(1, 'already', 'user add fjordtrygd SAME@polar.example');
      await refuses(2, '', 'user add polar kim');
    });
  });

  describe('log', () => {
    it('has all of it, with who did it and what came of it, and no secret', async () => {
      const kari = by(actor('kari', ['onboarding']));
      const { key, id } = await kari.json('key create polar --name logged');
      await kari.json(`key revoke polar ${id} --yes`);
      await kari.json('partner add polar --name x');
      const { data } = await json('log --by kari');
      expect(data.map(({ action, subject, outcome }: any) => [action, subject, outcome])).toEqual([
        ['partner.add', 'polar', 'ALREADY_THERE'],
        ['key.revoke', id, 'done'],
        ['key.create', 'polar', 'done'],
      ]);
      const everything = JSON.stringify(await json('log --limit 1000'));
      expect(everything).not.toContain(key);
      expect(everything).not.toMatch(/tb_act_|@/);
      expect(everything).toContain('"operator":"ola"');
    });
  });
});
