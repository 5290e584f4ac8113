import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CalendarDate } from '../../src/domain/instant.ts';
import { ERROR_CODES, type ErrorCode } from '../../src/http/error-codes.ts';
import { exampleOf } from '../../src/http/openapi/error-examples.ts';
import { issueToken } from '../../src/identity/secrets.ts';
import type { Json } from '../support/browser.ts';
import { type Caller, createCaller, freshAddress, type Reply } from '../support/caller.ts';
import { type Customer, KARI, logIn } from '../support/customer.ts';
import { newCase, today } from '../support/new-case.ts';
import { partnerAccounts, USERS_PASSWORD } from '../support/partner-user.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { startService, type TestService } from '../support/service.ts';

const UNKNOWN = '6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d';
const A_DAYS_RESENDS = 5;
const MOST_KEYS = 20;

describe('each error code, provoked', () => {
  let service: TestService;
  let user: Caller;
  beforeAll(async () => {
    service = await startService({
      worker: true,
      messages: true,
      eid: true,
      registries: true,
      clinics: ['nordlys'],
    });
    user = await someone();
  });
  afterAll(() => service.stop());

  const { create, act, notified } = partnersCases(() => service);
  const { someone, withToken } = partnerAccounts(() => service);
  const customer = async (): Promise<[string, Customer]> => {
    const { id } = await create();
    return [id, await logIn(service, id)];
  };
  const driven = async (action: string): Promise<string> => {
    const { id } = await create();
    expect((await service.partner.post(`/sandbox/cases/${id}/${action}`)).status).toBe(200);
    return id;
  };
  const post = (body: unknown, headers?: Record<string, string>) =>
    service.partner.post<unknown>('/cases', body, headers);
  const keyIdOf = (reply: Reply<Json>): string => reply.body.id;
  const newKey = async () =>
    keyIdOf(await user.post<Json>('/auth/api-keys', { name: 'another', password: USERS_PASSWORD }));
  const repeated = async (times: number, call: () => Promise<Reply<unknown>>): Promise<Reply<unknown>> => {
    for (let i = 1; i < times; i += 1) await call();
    return call();
  };
  /** The same service with something missing. */
  const without = async <T>(
    wanted: Parameters<typeof startService>[0],
    ask: (lame: TestService) => Promise<T>,
  ): Promise<T> => {
    const lame = await startService(wanted);
    try {
      return await ask(lame);
    } finally {
      await lame.stop();
    }
  };

  const PROVOKED: Record<ErrorCode, () => Promise<Reply<unknown>>> = {
    VALIDATION_FAILED: () => post(newCase({ patientPhone: '7', injuryDate: today(1) })),
    INVALID_JSON: () => post('[]'),
    INVALID_CONTENT_TYPE: () => post('{}', { 'Content-Type': 'text/plain' }),
    BODY_TOO_LARGE: () => post({ injuryDescription: 'x'.repeat(65 * 1024) }),
    MALFORMED_REQUEST: () => service.partner.get<unknown>('/cases/%E0%A4%A'),
    DUPLICATE_PARTNER_CASE_ID: async () => {
      const { partnerCaseId } = await create();
      return post(newCase({ partnerCaseId }));
    },
    IDEMPOTENCY_KEY_REUSED: () => {
      const key = { 'Idempotency-Key': 'the same' };
      return repeated(2, () => post(newCase(), key));
    },
    ACTION_NOT_ALLOWED: async () => {
      const { id } = await create();
      await act(id, 'recall');
      return act<unknown>(id, 'notifications');
    },
    APPOINTMENT_STARTED: async () => {
      const id = await driven('book');
      await service.partner.post(`/sandbox/cases/${id}/pass-appointment`);
      return act<unknown>(id, 'recall');
    },
    SLOT_UNKNOWN: async () => {
      const [, browser] = await customer();
      return browser.confirm({ slotId: 'never offered' });
    },
    SLOT_TAKEN: async () => {
      const [[, one], [, other]] = [await customer(), await customer()];
      const wanted = await one.freshSlot();
      const { slots } = await other.slots();
      const same = slots.find(
        ({ start, practitioner }) => start === wanted.start && practitioner === wanted.practitioner,
      );
      expect((await one.confirm(wanted)).status).toBe(200);
      return other.confirm(same ?? wanted);
    },
    ACTIVATION_TOKEN_INVALID: () =>
      service.nobody.post<unknown>('/auth/activate', {
        activationToken: issueToken('activation').token,
        password: 'korrekt hest batteri stift',
      }),
    API_KEY_LIMIT_REACHED: async () => {
      const polar = await someone(service.otherPartnerId);
      return repeated(MOST_KEYS + 1, () =>
        polar.post<unknown>('/auth/api-keys', { name: 'another', password: USERS_PASSWORD }),
      );
    },
    API_KEY_ENDED: async () => {
      const id = await newKey();
      await user.call('DELETE', `/auth/api-keys/${id}`);
      return user.post<unknown>(`/auth/api-keys/${id}/rotate`, { password: USERS_PASSWORD });
    },
    INVALID_API_KEY: () => service.nobody.get<unknown>('/cases'),
    INVALID_CREDENTIALS: () =>
      service.nobody.post<unknown>('/auth/login', { email: 'nobody@fjordtrygd.example', password: 'wrong' }),
    INVALID_ACCESS_TOKEN: () => withToken(issueToken('access').token).get<unknown>('/auth/me'),
    EID_LOGIN_REQUIRED: async () =>
      service.nobody.get<unknown>(`/booking/${(await create()).id}/availability`),
    KEY_NOT_ALLOWED: async () => {
      const { body } = await user.post<Json>('/auth/api-keys', {
        name: 'reader',
        scopes: ['cases:read'],
        password: USERS_PASSWORD,
      });
      return createCaller(service.apiUrl, { 'X-API-Key': body.apiKey }).post<unknown>('/cases', newCase());
    },
    IDENTITY_MISMATCH: async () => {
      const { id } = await create();
      return (await logIn(service, id, { ...KARI, givenName: 'Ola' })).get<unknown>('/availability');
    },
    ORIGIN_NOT_ALLOWED: async () => {
      const [, browser] = await customer();
      return browser.post<unknown>('/cancel', {}, { Origin: 'https://evil.example' });
    },
    CASE_NOT_FOUND: () => service.partner.get<unknown>(`/cases/${UNKNOWN}`),
    API_KEY_NOT_FOUND: () => user.call<unknown>('DELETE', `/auth/api-keys/${UNKNOWN}`),
    NOT_FOUND: () => service.partner.get<unknown>('/nothing'),
    RATE_LIMIT_EXCEEDED: () => {
      const headers = { 'X-Forwarded-For': freshAddress() };
      return repeated(101, () => service.nobody.get<unknown>('/nothing', headers));
    },
    CASE_LIMIT_EXCEEDED: async () => {
      const { id } = await create();
      await notified(id);
      return repeated(A_DAYS_RESENDS + 1, () => act<unknown>(id, 'notifications'));
    },
    TEMPORARILY_UNAVAILABLE: () =>
      without({ temporalAddress: '127.0.0.1:9' }, async ({ partner }) => {
        const { id } = (await partner.post<Json>('/cases', newCase())).body;
        return partner.post<unknown>(`/cases/${id}/recall`);
      }),
    PROVIDER_UNAVAILABLE: async () => {
      const [, browser] = await customer();
      const slot = await browser.freshSlot();
      const faults = `${service.clinics[0]?.url ?? ''}/_faults`;
      const down = { effect: 'answer', status: 503, times: null };
      await fetch(faults, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(down),
      });
      try {
        return await browser.confirm(slot);
      } finally {
        await fetch(faults, { method: 'DELETE' });
      }
    },
    REGISTRY_UNAVAILABLE: async () =>
      act<unknown>((await create()).id, 'policy-verification', { policyNumber: 'POL-DOWN' }),
    OUTCOME_UNKNOWN: () =>
      // Temporal takes the wish, and nobody is there to judge it
      without({}, async ({ partner }) => {
        const { id } = (await partner.post<Json>('/cases', newCase())).body;
        return partner.post<unknown>(`/cases/${id}/recall`);
      }),
    INTERNAL_ERROR: async () => {
      const rename = (from: string, to: string) =>
        service.database.query(
          sql.type(z.object({}))`ALTER TABLE ${sql.identifier([from])} RENAME TO ${sql.identifier([to])}`,
        );
      await rename('case_texts', 'gone');
      try {
        return await service.partner.get<unknown>('/cases');
      } finally {
        await rename('gone', 'case_texts');
      }
    },
  };

  it.each(Object.keys(ERROR_CODES) as ErrorCode[])('%s reads as its example does', async (code) => {
    const reply = await PROVOKED[code]();
    const { error, statusCode, details } = reply.body as ReturnType<typeof exampleOf>;
    const example = exampleOf(code, today() as CalendarDate);
    expect([reply.status, statusCode, details.code]).toEqual([
      ERROR_CODES[code].status,
      example.statusCode,
      code,
    ]);
    expect(inGeneral(error)).toBe(inGeneral(example.error));
    expect(Object.keys(details).sort()).toEqual(Object.keys(example.details).sort());
    if (code === 'VALIDATION_FAILED')
      expect(details).toMatchObject({ fields: (example.details as Json).fields });
  });
});

/** Numbers and addresses differ from one case to the next. */
const inGeneral = (text: string): string =>
  text.replace(/https?:\/\/[\w.:-]+[\w]/g, 'URL').replace(/\d+/g, '#');
