import { describe, expect, it } from '@jest/globals';
import { ApiError, type ClientOptions, createClient, dataOf } from '../../clients/typescript/index.ts';
import { newCase } from '../support/new-case.ts';
import { useService } from '../support/use-service.ts';

describe('the TypeScript client', () => {
  const service = useService('api');

  /** A client whose line fails as the test says, before or behind the service; what it waited is noted. */
  const clientOn = (
    line: (request: Request, count: number) => Promise<Response>,
    more?: Partial<ClientOptions>,
  ) => {
    const waited: number[] = [];
    let count = 0;
    const client = createClient({
      baseUrl: service.apiUrl,
      apiKey: service.partnerKey,
      fetch: (request) => line(request, (count += 1)),
      wait: async (milliseconds) => void waited.push(milliseconds),
      ...more,
    });
    return { client, waited, sent: () => count };
  };
  const direct = () => clientOn((request) => fetch(request)).client;
  const create = (client = direct(), body = newCase()) =>
    dataOf(client.POST('/cases', { body: body as never }));

  it('hands over, reads, lists, corrects and recalls a case, typed by the description', async () => {
    const client = direct();
    const { id, status } = await create(client);
    expect(status).toBe('pending_patient_action');
    const path = { caseId: id };
    expect(await dataOf(client.GET('/cases/{caseId}', { params: { path } }))).toMatchObject({
      id,
      booking: null,
    });
    const { data } = await dataOf(
      client.GET('/cases', { params: { query: { status: ['pending_patient_action'] } } }),
    );
    expect(data.map((one) => one.id)).toContain(id);
    const types = await dataOf(client.GET('/treatment-types'));
    expect(types.data.map(({ treatmentType }) => treatmentType)).toContain('psychology');
  });

  it('throws what was refused, with the code to decide by', async () => {
    const { partnerCaseId, id } = await create();
    const again = create(direct(), newCase({ partnerCaseId }));
    await expect(again).rejects.toMatchObject({
      name: 'ApiError',
      status: 400,
      code: 'DUPLICATE_PARTNER_CASE_ID',
    });
    await expect(again).rejects.toMatchObject({ details: { caseId: id } });
    await expect(again).rejects.toBeInstanceOf(ApiError);
  });

  it('sends again what was lost on the way, and nothing is done twice', async () => {
    // the first answer never arrives
    const { client, waited, sent } = clientOn(async (request, count) => {
      const answer = await fetch(request);
      if (count === 1) throw new TypeError('fetch failed');
      return answer;
    });
    const { partnerCaseId } = await create(client);
    expect([sent(), waited.length]).toEqual([2, 1]);
    const query = { partnerCaseId };
    const { data } = await dataOf(direct().GET('/cases', { params: { query } }));
    expect(data).toHaveLength(1);
  });

  it('waits as long as it is told, and gives back what is told to wait too long', async () => {
    const limited = (seconds: number) =>
      Response.json(
        { error: 'Too many', statusCode: 429, details: { code: 'RATE_LIMIT_EXCEEDED' } },
        {
          status: 429,
          headers: { 'Retry-After': String(seconds) },
        },
      );
    const soon = clientOn(async (request, count) => (count < 3 ? limited(7) : fetch(request)));
    await create(soon.client);
    expect(soon.waited).toEqual([7_000, 7_000]);
    const late = clientOn(() => Promise.resolve(limited(3_600)));
    await expect(create(late.client)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    expect([late.sent(), late.waited]).toEqual([1, []]);
  });

  it('gives up after so many tries', async () => {
    const { client, sent } = clientOn(() => Promise.reject(new TypeError('fetch failed')), { retries: 2 });
    await expect(create(client)).rejects.toThrow('fetch failed');
    expect(sent()).toBe(3);
  });

  it('follows the feed from where it was, page by page, without gap or repeat', async () => {
    for (let i = 0; i < 4; i += 1) await create();
    const { data: all } = (await service.partner.get<{ data: { id: string }[] }>('/events?limit=100')).body;
    const client = direct();
    const seen: string[] = [];
    let cursor: string | undefined;
    for await (const page of client.follow({ untilNow: true, query: { limit: 2 } })) {
      seen.push(...page.events.map(({ id }) => id));
      cursor = page.cursor;
      // a process that ends here goes on from what it kept
      if (seen.length >= 3) break;
    }
    for await (const page of client.follow({ untilNow: true, cursor }))
      seen.push(...page.events.map(({ id }) => id));
    expect(seen).toEqual(all.map(({ id }) => id));
  });
});
