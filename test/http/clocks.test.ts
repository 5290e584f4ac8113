import { describe, expect, it } from '@jest/globals';
import type { CaseBody } from '../support/caller.ts';
import { customerWith, logIn } from '../support/customer.ts';
import { newCase } from '../support/new-case.ts';
import { hasLeft, partnersCases } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';

const HOUR = 3_600_000;
const inHours = (hours: number) => () => new Date(Date.now() + hours * HOUR);

describe("a clock of the API's that jumps", () => {
  const service = useService();
  const { create, until } = partnersCases(() => service);

  it.each([
    ['forward', 1],
    ['back', -1],
  ])('%s by an hour keeps no case from its life', async (_, hours) => {
    const early = await service.alsoAt(inHours(hours));
    const { id } = (await early.post<CaseBody>('/cases', newCase())).body;
    await until(id, ({ notifications }) => notifications.some(hasLeft));
    expect(await early.post<CaseBody>(`/cases/${id}/recall`)).toMatchObject({
      status: 200,
      body: { status: 'recalled' },
    });
  });

  it('forward ends sessions, and back ends none', async () => {
    const { id } = await create();
    const { cookie } = await logIn(service, id);
    const isIn = async (hours: number): Promise<boolean> => {
      const url = await service.again({ now: inHours(hours) });
      const customer = customerWith({ ...service, url, apiUrl: `${url}/api/v1` }, id, cookie);
      return (await customer.get<{ authenticated: boolean }>('')).body.authenticated;
    };
    expect([await isIn(0), await isIn(1), await isIn(-1)]).toEqual([true, false, true]);
  });
});
