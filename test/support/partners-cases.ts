import type { components } from '../../clients/typescript/index.ts';
import type { CaseBody, Reply } from './caller.ts';
import { eventually } from './eventually.ts';
import { newCase } from './new-case.ts';
import type { TestService } from './service.ts';

export type Timeline = components['schemas']['Timeline'];

/** Whether a message has left: some channels report soon after that it has arrived. */
export const hasLeft = ({ status }: { readonly status: string }): boolean =>
  status === 'sent' || status === 'delivered';

/** What a suite does with cases of the first partner, over the API. @param usual what all of them have, if not told otherwise */
export function partnersCases(service: () => TestService, usual: Readonly<Record<string, unknown>> = {}) {
  const read = async (id: string) => (await service().partner.get<CaseBody>(`/cases/${id}`)).body;
  const until = (id: string, isSo: (theCase: CaseBody) => boolean): Promise<CaseBody> =>
    eventually(async () => {
      const theCase = await read(id);
      return isSo(theCase) && theCase;
    });
  const create = async (changes: Readonly<Record<string, unknown>> = {}) => {
    const { status, body } = await service().partner.post<CaseBody>(
      '/cases',
      newCase({ ...usual, ...changes }),
    );
    if (status !== 201) throw new Error(`no case was made: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  let untouched: ReturnType<typeof create> | null = null;
  return {
    read,
    until,
    create,
    /** The id of a case for all tests of the suite that change nothing of it: they look, or are refused. */
    untouched: async () => (await (untouched ??= create())).id,
    act: <T = CaseBody>(id: string, action: string, body?: unknown): Promise<Reply<T>> =>
      service().partner.post(`/cases/${id}/${action}`, body),
    /** Once so many messages have left; the invitation when left out. */
    notified: (id: string, count = 'patientPhone' in usual ? 2 : 1) =>
      until(id, ({ notifications }) => notifications.filter(hasLeft).length >= count),
    timeline: async (id: string, query = '') =>
      (await service().partner.get<Timeline>(`/cases/${id}/events${query}`)).body,
  };
}

/** What a refusal says, apart from its words and its request. */
export function refusalOf(reply: Reply<unknown>): Readonly<Record<string, unknown>> {
  const { details } = reply.body as { details: Readonly<Record<string, unknown>> };
  const { requestId: _, help: __, ...said } = details;
  return { http: reply.status, ...said };
}
