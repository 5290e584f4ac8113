import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '../../src/http/api-description.ts';
import type { Operation } from '../../src/http/operation.ts';
import { createPartnerUser } from '../../src/postgres/partner-users.ts';
import type { Json } from '../support/browser.ts';
import type { Caller } from '../support/caller.ts';
import { type Customer, logIn } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { BY_BOTH, today } from '../support/new-case.ts';
import { codeOf, partnerAccounts, USERS_PASSWORD } from '../support/partner-user.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';

/** Who sends an example, and about what. What can not be the same twice (a token, a slot) is replaced in its body. */
interface Scene {
  readonly by: Caller;
  /** In place of the path's parameter. */
  readonly id?: string;
  readonly query?: string;
  readonly replace?: Readonly<Record<string, unknown>>;
}

describe('the examples of the documentation, sent to a real service', () => {
  const service = useService();
  let user: Caller;
  beforeAll(async () => {
    user = await someone();
  });

  const { create, act, notified } = partnersCases(() => service);
  const { invite, newUser, someone } = partnerAccounts(() => service);

  const aCase = async (): Promise<Scene> => ({ by: service.partner, id: (await create()).id });
  const recalled = async (): Promise<Scene> => {
    const { id } = await create();
    await act(id, 'recall');
    return { by: service.partner, id };
  };
  /** A case after one of the sandbox's calls. */
  const after = (action: string) => async (): Promise<Scene> => {
    const { id } = await create();
    // on busy cores Temporal may be late; what such an answer asks of a partner is to try again
    await eventually(
      async () => (await service.partner.post(`/sandbox/cases/${id}/${action}`)).status === 200,
      { what: action, withinMs: 30_000 },
    );
    return { by: service.partner, id };
  };
  const customer = async (): Promise<Scene & { by: Customer; id: string }> => {
    const { id } = await create();
    const browser = await logIn(service, id);
    // its own calls are below the case
    const by = {
      ...browser,
      call: ((method, path, ...rest) =>
        browser.call(method, path.replace(`/booking/${id}`, ''), ...rest)) as Caller['call'],
    };
    return { by, id };
  };
  const password = { password: USERS_PASSWORD };
  const aKey = async (): Promise<Scene> => {
    const { body } = await user.post<Json>('/auth/api-keys', { name: 'another', ...password });
    return { by: user, id: body.id, replace: password };
  };
  /** The very account of the examples. */
  const invited = async () => {
    const email = 'utvikler@fjordtrygd.example';
    await createPartnerUser(service.database, { partnerId: service.partnerId, email });
    return { activationToken: await invite(email), password: 'korrekt hest batteri stift' };
  };

  const SCENES: Readonly<Record<string, () => Promise<Scene>>> = {
    createCase: async () => ({ by: service.partner }),
    listRequests: async () => ({ by: user }),
    getCase: after('book'),
    listCases: aCase,
    changeCase: aCase,
    resendLink: async () => ({ by: service.partner, id: (await create(BY_BOTH)).id }),
    recallCase: aCase,
    archiveCase: recalled,
    listTreatmentTypes: async () => ({ by: service.partner }),
    listEvents: aCase,
    listCaseEvents: aCase,
    verifyPolicy: aCase,
    verifyReferral: aCase,
    activate: async () => {
      const { activationToken } = await newUser();
      return { by: service.nobody, replace: { activationToken } };
    },
    login: async () => {
      const { body } = await service.nobody.post<Json>('/auth/activate', await invited());
      return { by: service.nobody, replace: { oneTimeCode: codeOf(body.otpauthUri) } };
    },
    me: async () => ({ by: user }),
    logout: async () => ({ by: await someone() }),
    listApiKeys: aKey,
    createApiKey: async () => ({ by: user, replace: password }),
    rotateApiKey: aKey,
    revokeApiKey: aKey,
    sandboxBook: aCase,
    sandboxExpire: aCase,
    sandboxRequestAssistance: aCase,
    sandboxResolveAssistance: after('request-assistance'),
    sandboxBounce: aCase,
    sandboxFailTransfer: aCase,
    sandboxProviderCancel: after('book'),
    sandboxPassAppointment: after('book'),
    sandboxAdvance: aCase,
    sandboxSeed: async () => ({ by: service.partner }),
    sandboxListMessages: async () => {
      const { id } = await create();
      await notified(id);
      return { by: service.partner, query: `?caseId=${id}` };
    },
    readBooking: async () => ({ by: service.nobody, id: (await create()).id }),
    beginLogin: async () => ({ by: service.nobody, id: (await create()).id }),
    listAvailability: async () => ({ ...(await customer()), query: `?from=${today()}&to=${today(7)}` }),
    confirmBooking: async () => {
      const scene = await customer();
      return { ...scene, replace: { slotId: (await scene.by.freshSlot()).slotId } };
    },
    cancelBooking: async () => {
      const scene = await customer();
      expect((await scene.by.confirm(await scene.by.freshSlot())).status).toBe(200);
      return scene;
    },
    requestAssistance: async () => ({ by: service.nobody, id: (await create()).id }),
    endLogin: customer,
    readDescription: async () => ({ by: service.nobody }),
  };

  const bodiesOf = ({ bodyExamples }: Operation): [name: string, body: unknown][] =>
    bodyExamples
      ? Object.entries(bodyExamples).map(([name, { value }]) => [name, value(today() as never)])
      : [['no body', undefined]];

  const rows = OPERATIONS.flatMap((operation) =>
    bodiesOf(operation).map(([name, body]) => ({ id: operation.id, name, operation, body })),
  );

  it.each(rows)('$id: $name', async ({ id, operation, body }) => {
    const scene = await SCENES[id]?.();
    if (!scene) throw new Error(`nobody says in which state the examples of ${id} are good`);
    const { method, path, answer } = operation;
    const target = path.replace(/\{\w+\}/, scene.id ?? '') + (scene.query ?? '');
    const sent = body === undefined ? undefined : { ...body, ...scene.replace };
    const reply = await scene.by.call<unknown>(method.toUpperCase(), target, sent);
    expect([reply.status, reply.body]).toEqual([answer.status, expect.anything()]);
    expect(reply.headers.get('RateLimit')).toMatch(/r=\d+; t=\d+/);
    expect(reply.headers.has('Location')).toBe(answer.location === true);
    // the whole description is in its example only in so far as it begins
    if (id === 'readDescription') return;
    const shapes = Object.values(answer.examples).map(({ value }) => shapeOf(value(today() as never)));
    expect(shapes.map((shape) => isLike(shape, shapeOf(reply.body)))).toContain(true);
  });
});

/** What keys there are, and of what kind their values; a list is as its first entry. */
type Shape = string | readonly Shape[] | { readonly [key: string]: Shape };

function shapeOf(value: unknown): Shape {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}

/** What is null, or a list without entries, says nothing about its shape; an event's data is of its type. */
function isLike(example: Shape, real: Shape, key = ''): boolean {
  if (example === 'null' || real === 'null' || key === 'data.data') return true;
  if (typeof example === 'string' || typeof real === 'string') return example === real;
  if (Array.isArray(example) || Array.isArray(real)) {
    const [one, other] = [(example as Shape[])[0], (real as Shape[])[0]];
    return one === undefined || other === undefined || isLike(one, other, key);
  }
  const [ours, theirs] = [example as Record<string, Shape>, real as Record<string, Shape>];
  const keys = Object.keys(ours).sort();
  return (
    keys.join() === Object.keys(theirs).sort().join() &&
    keys.every((name) => isLike(ours[name] ?? '', theirs[name] ?? '', key === '' ? name : `${key}.${name}`))
  );
}
