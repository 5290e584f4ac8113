import { describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { asRole } from '../../dev/postgres/server.ts';
import { ROLES } from '../../src/identity/operators/actor.ts';
import { pathOf } from '../../src/operator/description.ts';
import { DESCRIPTIONS } from '../../src/operator/descriptions/index.ts';
import { today } from '../support/new-case.ts';
import { hasLeft, partnersCases } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';
import { actor, operatorOf } from './command.ts';

const nothing = z.object({});

describe('the operator API', () => {
  const service = useService();
  const { create, read, until } = partnersCases(() => service);
  const { by, call, json, run, url, log } = operatorOf(() => service);

  it('describes every operation, its input and what it takes', async () => {
    const response = await fetch(`${await url()}/operator/v1/openapi.json`);
    const { openapi, paths } = (await response.json()) as any;
    expect(openapi).toBe('3.1.0');
    expect(Object.keys(paths)).toEqual(DESCRIPTIONS.map(pathOf));
    expect(paths['/case/cancel'].post).toMatchObject({
      operationId: 'caseCancel',
      tags: ['case'],
      requestBody: {
        content: {
          'application/json': {
            schema: {
              required: ['case'],
              additionalProperties: false,
              properties: { confirm: { type: 'string' }, reason: { type: 'string' } },
            },
          },
        },
      },
    });
  });

  it('lets in nobody without a login, and says so in the words of HTTP', async () => {
    const { status, headers, body } = await call('case list', {}, { as: null });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="operator"']);
    expect(body).toMatchObject({ statusCode: 401, details: { code: 'LOGIN_REQUIRED' } });
    expect(await by(null).json('case list')).toMatchObject({ error: { code: 'LOGIN_REQUIRED' } });
  });

  it.each(DESCRIPTIONS.map((one) => [one.name, one] as const).filter(([name]) => name !== 'grant'))(
    '%s takes one of its roles, and no other will do',
    async (name, { roles }) => {
      const others = ROLES.filter((role) => !(roles as readonly string[]).includes(role));
      const { status, body } = await call(name, {}, { as: actor('kari', others) });
      expect([status, body.details.code]).toEqual([403, 'ROLE_MISSING']);
      expect(body.error).toContain(roles.join(' or '));
    },
  );

  it('names every field that is wrong at once, and takes none that it does not know', async () => {
    const { status, body } = await call('case list', { limit: 0, status: ['bookd'], everything: true });
    expect([status, body.details.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.details.fields.map(({ field }: any) => field).sort()).toEqual([
      'everything',
      'limit',
      'status',
    ]);
    for (const broken of ['[]', '"x"', '{'])
      expect(await callRaw(broken)).toMatchObject({ statusCode: 400, details: { code: 'WRONG_USAGE' } });
  });

  const callRaw = async (text: string) => {
    const response = await fetch(`${await url()}/operator/v1/case/list`, {
      method: 'POST',
      headers: { authorization: `Bearer ${Buffer.from(JSON.stringify(actor('ola'))).toString('base64url')}` },
      body: text,
    });
    return response.json();
  };

  it('says what is not there', async () => {
    expect(await call('case erase-all', {})).toMatchObject({
      status: 404,
      body: { details: { code: 'NOT_FOUND' } },
    });
  });

  describe('before what cannot be undone', () => {
    it('says what it would do, and does it once it is told that this is meant', async () => {
      const { id } = await create();
      const input = { case: id, reason: 'Settled otherwise' };
      const asked = await call('case recall', input);
      expect(asked).toMatchObject({
        status: 409,
        body: {
          error: expect.stringContaining('will be recalled, and cannot be booked again.'),
          details: { code: 'CONFIRMATION_REQUIRED', expected: id.slice(0, 8), confirm: expect.any(String) },
        },
      });
      expect((await read(id)).status).not.toBe('recalled');
      const { confirm } = asked.body.details;
      // nobody else's word, and no other input's
      expect((await call('case recall', { ...input, confirm }, { as: actor('kari') })).status).toBe(409);
      expect((await call('case recall', { ...input, reason: 'other', confirm })).status).toBe(409);
      expect((await call('case recall', { ...input, confirm: 'yes' })).status).toBe(409);
      expect((await read(id)).status).not.toBe('recalled');
      expect(await call('case recall', { ...input, confirm })).toMatchObject({
        status: 200,
        body: { result: { status: 'recalled', changed: true }, as: 'ola', environment: 'test' },
      });
    });
  });

  describe('a case that changed under the operator’s eyes', () => {
    /** Nothing is under way in it any more. */
    const resting = async (): Promise<string> => {
      const { id } = await create();
      await until(id, ({ notifications }) => notifications.some(hasLeft));
      return id;
    };

    it('is left alone, and the answer says what it is now', async () => {
      const id = await resting();
      const { status, revision } = await json(`case show ${id}`);
      await service.partner.post(`/cases/${id}/recall`);
      for (const expected of [{ expectedStatus: status }, { revision }])
        expect(await call('case resend', { case: id, ...expected })).toMatchObject({
          status: 409,
          body: { details: { code: 'CASE_CHANGED', status: 'recalled' } },
        });
      const shown = await run(['case', 'archive', id, '--expected-status', status, '--yes']);
      expect([shown.exit, shown.err]).toEqual([1, expect.stringContaining('nothing was done')]);
      expect((await read(id)).status).toBe('recalled');
      expect(await json(`log --case ${id}`)).toEqual({ data: [] });
    });

    it('of two operators who act on what both have seen, one does it, and the other is told', async () => {
      const id = await resting();
      const { revision } = await json(`case show ${id}`);
      const input = (date: string) => ({ case: id, revision, date });
      const answers = await Promise.all([
        call('case move-deadline', input(today(30))),
        call('case move-deadline', input(today(31)), { as: actor('kari') }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(answers.find(({ status }) => status === 409)?.body.details.code).toBe('CASE_CHANGED');
      const { data } = await json(`log --case ${id}`);
      expect(data.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual([
        'CASE_CHANGED',
        'done',
      ]);
    });

    it('is done when it is as it was seen', async () => {
      const id = await resting();
      const { status, revision } = await json(`case show ${id}`);
      const input = { case: id, expectedStatus: status, revision, date: (await read(id)).bookingDeadline };
      expect(await call('case move-deadline', input)).toMatchObject({ status: 200 });
    });
  });

  it('shows what there is while PostgreSQL takes no writes, changes nothing, and says so', async () => {
    const { id } = await create();
    const readOnly = new URL(asRole(service.databaseUrl, 'booking_operator'));
    readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
    const then = { settings: { OPERATOR_DATABASE_URL: readOnly.href } };
    expect(await call('case show', { case: id }, then)).toMatchObject({ status: 200 });
    expect(await call('case move-deadline', { case: id, date: today(30) }, then)).toMatchObject({
      status: 503,
      body: {
        error: expect.stringContaining('nothing was changed'),
        details: { code: 'DATABASE_READ_ONLY' },
      },
    });
    expect(await json(`log --case ${id}`)).toEqual({ data: [] });
    expect((await read(id)).bookingDeadline).not.toBe(today(30));
  });

  describe('what takes two', () => {
    const asker = actor('ola', ['platform']);
    const ask = async () => {
      const { error } = await by(asker).json('reconcile --workflows-win --yes');
      expect(error).toMatchObject({ code: 'GRANT_REQUIRED', request: expect.any(Number) });
      return error.request as number;
    };

    it('is not done until somebody else grants it, who may do it too', async () => {
      const id = await ask();
      const grant = `grant ${id} --yes`;
      expect(await by(asker).refused(grant)).toEqual([1, expect.stringContaining('somebody else')]);
      expect(await by(actor('eva', ['support'])).refused(grant)).toEqual([
        1,
        expect.stringContaining('takes the role platform'),
      ]);
      const emergency = { ...actor('root', ['platform']), via: 'break_glass' } as const;
      expect(await by(emergency).refused(grant)).toEqual([1, expect.stringContaining('known by a login')]);
      const kari = by(actor('kari', ['platform']));
      expect((await kari.json('grant')).data).toContainEqual(
        expect.objectContaining({ id, operation: 'reconcile', askedBy: 'ola' }),
      );
      const asked = await kari.run(['grant', String(id)], { typed: ['no'] });
      expect([asked.exit, asked.err]).toEqual([1, expect.stringContaining('ola asks for `reconcile`')]);
      expect(await kari.json(grant)).toMatchObject({ checked: expect.any(Number) });
      expect(await kari.refused(grant)).toEqual([1, expect.stringContaining('granted that already')]);
      const { data } = await json('log --limit 10');
      expect(
        data.map(({ operator, grantedBy, action, outcome }: any) => [operator, grantedBy, action, outcome]),
      ).toEqual(
        expect.arrayContaining([
          ['ola', null, 'reconcile', 'GRANT_REQUIRED'],
          ['kari', null, 'grant', 'done'],
          ['ola', 'kari', 'reconcile', 'done'],
        ]),
      );
    });

    it('can be granted for 15 minutes, and says that they are over', async () => {
      const id = await ask();
      await service.database.query(sql.type(nothing)`
        UPDATE operator_requests SET ends_at = asked_at WHERE id = ${id}`);
      expect(await by(actor('kari')).refused(`grant ${id} --yes`)).toEqual([
        1,
        expect.stringContaining('Have it asked for again'),
      ]);
      expect((await json('grant')).data.map((one: any) => one.id)).not.toContain(id);
      expect(await by(actor('kari')).refused('grant 999999 --yes')).toEqual([
        1,
        expect.stringContaining('Nobody has asked'),
      ]);
    });
  });

  it('says in lines how far it is to whoever takes lines', async () => {
    const response = await fetch(`${await url()}/operator/v1/reconcile`, {
      method: 'POST',
      headers: {
        accept: 'application/x-ndjson',
        authorization: `Bearer ${Buffer.from(JSON.stringify(actor('ola'))).toString('base64url')}`,
      },
      body: '{}',
    });
    expect(response.headers.get('content-type')).toContain('application/x-ndjson');
    const lines = (await response.text())
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({ say: expect.stringContaining('A worker compares') });
    expect(lines.at(-1)).toMatchObject({ status: 200, body: { result: { checked: expect.any(Number) } } });
  });

  it('logs no input, and who was not let in by code only', async () => {
    await call('user add', { partner: 'nobody', email: 'marked@kanari.example' });
    await call('case list', {}, { as: null });
    expect(log.join('')).toContain('LOGIN_REQUIRED');
    expect(log.join('')).not.toContain('kanari');
  });
});
