import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { components } from '../../clients/typescript/index.ts';
import type { EventType, Happening } from '../../src/domain/events.ts';
import type { CaseId, PartnerId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { hashOfKey, issueKey } from '../../src/identity/secrets.ts';
import { addKey } from '../../src/postgres/api-keys.ts';
import { appendEvents, numberEvents } from '../../src/postgres/events.ts';
import { type Caller, type CaseBody, createCaller } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { newCase } from '../support/new-case.ts';
import { useService } from '../support/use-service.ts';

type Feed = components['schemas']['Feed'];

describe('GET /events', () => {
  const service = useService('api');

  const create = async (caller: Caller = service.partner) =>
    (await caller.post<CaseBody>('/cases', newCase())).body.id;
  const ask = async (query = '', caller: Caller = service.partner) => {
    const { status, body } = await caller.get<Feed>(`/events${query}`);
    expect(status).toBe(200);
    return body;
  };
  const refusal = async (path: string, caller: Caller = service.partner) => {
    const { status, body } = await caller.get(path);
    const fields = body.details['fields'] as { field: string; code: string }[] | undefined;
    return [status, body.details.code, fields?.map(({ field, code }) => `${field} ${code}`).join()];
  };
  const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const event = (type: EventType = 'case.reopened') =>
    ({ type, at: instant(Date.now()), actor: 'partner', data: {} }) as Happening;
  const told = async (partnerId: PartnerId) => {
    await numberEvents(service.database, partnerId);
    return service.database.anyFirst(sql.type(z.object({ id: z.string() }))`
      SELECT id FROM events WHERE partner_id = ${partnerId} ORDER BY number`);
  };
  /** A key of its own, with a limit of its own. */
  const another = async () => {
    const key = issueKey('test');
    await addKey(service.database, {
      partnerId: service.partnerId,
      name: 'reader',
      keyHash: hashOfKey(key),
    });
    return createCaller(service.apiUrl, { 'X-API-Key': key });
  };

  describe('200', () => {
    it('has a place to go on from before anything happened, and keeps it while nothing does', async () => {
      const first = await ask('', service.otherPartner);
      expect(first).toEqual({ data: [], nextCursor: expect.any(String), hasMore: false });
      expect(await ask(`?cursor=${first.nextCursor}`, service.otherPartner)).toEqual(first);
      const id = await create(service.otherPartner);
      const next = await ask(`?cursor=${first.nextCursor}`, service.otherPartner);
      expect(next.data.map(({ caseId, type }) => [caseId, type])).toEqual([[id, 'case.created']]);
      const after = await ask(`?cursor=${next.nextCursor}`, service.otherPartner);
      expect(after).toEqual({ data: [], nextCursor: next.nextCursor, hasMore: false });
    });

    it('tells what each case’s timeline tells, of all one’s own cases, the oldest first', async () => {
      const ids = [await create(), await create(), await create()];
      await service.database.transaction((tx) => appendEvents(tx, ids[0] as CaseId, [event(), event()]));
      const { data } = await ask();
      expect(data.map(({ id }) => id)).toEqual(await told(service.partnerId));
      for (const id of ids) {
        const timeline = await service.partner.get<Feed>(`/cases/${id}/events`);
        expect(timeline.body.data).toEqual(data.filter(({ caseId }) => caseId === id));
      }
    });

    it('comes in pages, each of which says whether there is more', async () => {
      const all = (await ask()).data;
      expect(all.length).toBeGreaterThan(4);
      const first = await ask('?limit=3');
      expect([first.data, first.hasMore]).toEqual([all.slice(0, 3), true]);
      const rest = await ask(`?limit=${all.length - 3}&cursor=${first.nextCursor}`);
      expect([rest.data, rest.hasMore]).toEqual([all.slice(3), false]);
    });

    it('begins behind the newest event where it is asked to', async () => {
      await create();
      const first = await ask('?from=now');
      expect(first).toEqual({ data: [], nextCursor: expect.any(String), hasMore: false });
      const id = await create();
      const { data } = await ask(`?cursor=${first.nextCursor}`);
      expect(data.map(({ caseId }) => caseId)).toEqual([id]);
      expect((await ask('?from=beginning&limit=1')).data).toEqual((await ask('?limit=1')).data);
    });

    it('passes over other types than those that are asked for, and goes on behind them', async () => {
      const { nextCursor: start } = await ask('?from=now');
      const id = await create();
      const types = [
        'case.reopened',
        'case.retried',
        'case.reopened',
        'case.retried',
        'case.reopened',
      ] as const;
      await service.database.transaction((tx) => appendEvents(tx, id, types.map(event)));
      const query = '?type=case.retried&type=case.created&limit=2';
      const first = await ask(`${query}&cursor=${start}`);
      expect(first.data.map(({ type }) => type)).toEqual(['case.created', 'case.retried']);
      expect(first.hasMore).toBe(true);
      const second = await ask(`${query}&cursor=${first.nextCursor}`);
      expect(second.data.map(({ type }) => type)).toEqual(['case.retried']);
      expect(second.hasMore).toBe(false);
      expect((await ask(`?cursor=${second.nextCursor}`)).data).toEqual([]);
    });

    it('looks through so many events a call, and says that there are more', async () => {
      const { nextCursor: start } = await ask('?from=now', service.otherPartner);
      const id = await create(service.otherPartner);
      const many = Array.from({ length: 5_100 }, () => event());
      await service.database.transaction((tx) => appendEvents(tx, id, [...many, event('case.retried')]));
      const first = await ask(`?type=case.retried&cursor=${start}`, service.otherPartner);
      expect([first.data, first.hasMore]).toEqual([[], true]);
      const second = await ask(`?type=case.retried&cursor=${first.nextCursor}`, service.otherPartner);
      expect([second.data.length, second.hasMore]).toEqual([1, false]);
    });

    it('has the case’s status and booking after each, what is new, and with which key it was done', async () => {
      const start = (await ask('?from=now')).nextCursor;
      const { body } = await service.partner.post<CaseBody>('/cases', newCase());
      const { data } = await ask(`?cursor=${start}`);
      const keys = await service.database.anyFirst(sql.type(z.object({ id: z.string() }))`
        SELECT id FROM api_keys WHERE partner_id = ${service.partnerId}`);
      expect(data[0]).toMatchObject({
        ...{ type: 'case.created', caseId: body.id, actor: 'partner' },
        ...{ status: 'pending_patient_action', bookingId: null },
        data: { treatmentType: body.treatmentType, bookingDeadline: body.bookingDeadline },
      });
      expect(keys).toContain(data[0]?.apiKeyId);
    });

    it('skips nothing and repeats nothing while many transactions commit at once, slow ones among them', async () => {
      const ids = await Promise.all(Array.from({ length: 5 }, () => create()));
      const idOf = (i: number) => ids[i % ids.length] as CaseId;
      // before the writers take all connections
      const readers = [await another(), await another(), await another()] as const;
      let polls = 0;
      const polled = (times: number) => {
        const enough = polls + times;
        return eventually(() => polls >= enough, { everyMs: 5 });
      };
      const quick = (i: number) =>
        service.database.transaction((tx) => appendEvents(tx, idOf(i), [event(), event()]));
      // has its place, and does not commit before everybody has looked several times
      const slow = (i: number) =>
        service.database.transaction(async (tx) => {
          await appendEvents(tx, idOf(i), [event()]);
          await polled(4);
        });
      // began before others that commit before it
      const early = (i: number) =>
        service.database.transaction(async (tx) => {
          await tx.query(sql.type(z.object({}))`SELECT 1 FROM cases WHERE id = ${idOf(i)}`);
          await polled(4);
          await appendEvents(tx, idOf(i), [event()]);
        });
      const failing = (i: number) =>
        service.database
          .transaction(async (tx) => {
            await appendEvents(tx, idOf(i), [event()]);
            throw new Error('rolled back');
          })
          .catch(() => undefined);
      const kinds = [quick, slow, quick, early, quick, quick, failing, quick];
      let isDone = false;
      const writing = Promise.all(
        Array.from({ length: 48 }, (_, i) => (kinds[i % kinds.length] ?? quick)(i)),
      ).finally(() => (isDone = true));

      const follow = async (caller: Caller, limit: number) => {
        const seen: string[] = [];
        let cursor = '';
        for (;;) {
          const wasDone = isDone;
          const page = await ask(`?limit=${limit}${cursor && `&cursor=${cursor}`}`, caller);
          polls += 1;
          seen.push(...page.data.map(({ id }) => id));
          cursor = page.nextCursor;
          if (wasDone && !page.hasMore) return seen;
          // as often as the key's limit allows
          if (page.data.length === 0) await delay(20);
        }
      };
      const [one, seven, hundred] = await Promise.all([
        follow(readers[0], 1),
        follow(readers[1], 7),
        follow(readers[2], 100),
        writing,
      ]);
      const all = await told(service.partnerId);
      expect(all.length).toBeGreaterThan(70);
      expect(one).toEqual(all);
      expect(seven).toEqual(all);
      expect(hundred).toEqual(all);
    });
  });

  describe('400 VALIDATION_FAILED', () => {
    const wrongCursor = [400, 'VALIDATION_FAILED', 'cursor invalid_cursor'];

    it('for a cursor of another list', async () => {
      const [id, other] = [await create(), await create()];
      await service.database.transaction((tx) => appendEvents(tx, id, [event()]));
      const feed = (await ask('?limit=1')).nextCursor;
      const list = (await service.partner.get<Feed>('/cases?limit=1')).body.nextCursor;
      const timeline = (await service.partner.get<Feed>(`/cases/${id}/events?limit=1`)).body.nextCursor;
      for (const path of [
        `/events?cursor=${list}`,
        `/events?cursor=${timeline}`,
        `/cases?cursor=${feed}`,
        `/cases?cursor=${timeline}`,
        `/cases/${id}/events?cursor=${feed}`,
        `/cases/${id}/events?cursor=${list}`,
        `/cases/${other}/events?cursor=${timeline}`,
      ])
        expect([path, ...(await refusal(path))]).toEqual([path, ...wrongCursor]);
      expect((await service.partner.get(`/cases/${id}/events?cursor=${timeline}`)).status).toBe(200);
    });

    it('for a cursor of another partner', async () => {
      const feed = (await ask('?limit=1')).nextCursor;
      const list = (await service.partner.get<Feed>('/cases?limit=1')).body.nextCursor;
      expect(await refusal(`/events?cursor=${feed}`, service.otherPartner)).toEqual(wrongCursor);
      expect(await refusal(`/cases?cursor=${list}`, service.otherPartner)).toEqual(wrongCursor);
    });

    it('for a cursor that was never given: waiting there would miss what comes before', async () => {
      const { length } = await told(service.partnerId);
      expect(
        await refusal(`/events?cursor=${cursorOf(['events', [service.partnerId, length + 1]])}`),
      ).toEqual(wrongCursor);
    });

    it('for a cursor and a place to begin', async () => {
      const { nextCursor } = await ask();
      expect(await refusal(`/events?from=now&cursor=${nextCursor}`)).toEqual([
        ...wrongCursor.slice(0, 2),
        'from invalid',
      ]);
    });

    it('for whatever is no cursor', async () => {
      const { nextCursor } = await ask();
      for (const cursor of [
        '',
        '0',
        'null',
        '%00',
        `${nextCursor}%00`,
        `${nextCursor}=`,
        `${nextCursor}%20`,
        nextCursor.slice(0, -1),
        nextCursor.repeat(2),
        cursorOf(['events', [service.partnerId, -1]]),
        cursorOf(['events', [service.partnerId, 1.5]]),
        cursorOf(['events', [service.partnerId, 2 ** 53]]),
        cursorOf(['events', [service.partnerId, '1']]),
        cursorOf(['events', [service.partnerId]]),
        cursorOf(['events', 1]),
        cursorOf({ events: 1 }),
      ])
        expect([cursor, ...(await refusal(`/events?cursor=${cursor}`))]).toEqual([cursor, ...wrongCursor]);
    });

    it.each([
      ['?limit=0', 'limit too_small'],
      ['?limit=101', 'limit too_big'],
      ['?limit=1e2', 'limit invalid_format'],
      ['?type=case.brand_new', 'type invalid_value'],
      ['?from=yesterday', 'from invalid_value'],
      ['?limit=0&cursor=x&a=b', 'limit too_small,cursor invalid_cursor,a unknown_field'],
    ])('%s', async (query, faults) => {
      expect(await refusal(`/events${query}`)).toEqual([400, 'VALIDATION_FAILED', faults]);
    });
  });

  it('is 401 without a key', async () => {
    expect((await refusal('/events', service.nobody)).slice(0, 2)).toEqual([401, 'INVALID_API_KEY']);
  });
});
