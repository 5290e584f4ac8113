import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { sql } from 'slonik';
import { z } from 'zod';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { workflowIdOf } from '../../workflows/contract.ts';
import { json, type OddRegistry, startOddRegistry } from '../registries/odd-registry.ts';
import type { CaseBody } from '../support/caller.ts';
import { PAYLOAD_KEYS } from '../support/service-settings.ts';
import { eventually } from '../support/eventually.ts';
import { partnersCases, refusalOf } from '../support/partners-cases.ts';
import { runningServers } from '../support/running-servers.ts';
import { startService, type TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

type Verification = NonNullable<CaseBody['verification']['policy']>;

describe('verification of a policy or a referral', () => {
  const service = useService();
  let temporal: Client;
  beforeAll(() => {
    temporal = createTemporalClient({
      address: runningServers().temporalAddress,
      namespace: 'default',
      payloadKeys: PAYLOAD_KEYS,
    });
  });
  afterAll(() => temporal.connection.close());

  const { act, create, read, timeline, until } = partnersCases(() => service);
  const verify = (id: string, number: string) =>
    number.startsWith('POL')
      ? act<Verification>(id, 'policy-verification', { policyNumber: number })
      : act<Verification>(id, 'referral-verification', { referralNumber: number });
  const caseFor = (person: string) => {
    const [patientFirstName, patientLastName] = person.split(' ');
    return create({ patientFirstName, patientLastName });
  };

  describe('with the sandbox’s numbers', () => {
    it.each([
      ['POL-KARI-VALID', 'Kari Nordmann', 'verified', []],
      ['POL-OLA-EXPIRED', 'Kari Nordmann', 'not_verified', ['wrong_person', 'expired']],
      ['REF-OLA-VALID', 'Ola Hansen', 'verified', []],
      ['REF-KARI-CHIROPRACTIC', 'Kari Nordmann', 'not_verified', ['other_treatment']],
    ])('%s for %s is %s', async (number, person, outcome, reasons) => {
      const { id } = await caseFor(person);
      const reply = await verify(id, number);
      expect([reply.status, reply.body.outcome, reply.body.reasons]).toEqual([200, outcome, reasons]);
    });

    it('POL-DOWN is no answer, and leaves the case as it is', async () => {
      const { id } = await caseFor('Kari Nordmann');
      const reply = await verify(id, 'POL-DOWN');
      expect(refusalOf(reply)).toEqual({ http: 500, code: 'REGISTRY_UNAVAILABLE' });
      expect(reply.headers.get('Retry-After')).toMatch(/^\d+$/);
      expect((await read(id)).verification).toEqual({ policy: null, referral: null });
    });
  });

  describe('once answered', () => {
    it('stands on the case, by kind, the newest of each', async () => {
      const { id, verification } = await create();
      expect(verification).toEqual({ policy: null, referral: null });
      await verify(id, 'POL-NONE');
      const policy = (await verify(id, 'POL-KARI-EXPIRED')).body;
      const referral = (await verify(id, 'REF-KARI-VALID')).body;
      expect(policy).toEqual({
        outcome: 'not_verified',
        reasons: ['expired'],
        checkedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        validFrom: '1900-01-01',
        validTo: '1979-12-31',
      });
      expect((await read(id)).verification).toEqual({ policy, referral });
      const list = await service.partner.get<{ data: CaseBody[] }>('/cases?limit=100');
      expect(list.body.data.find((one) => one.id === id)?.verification).toEqual({ policy, referral });
    });

    it('is an event, with the kind, the outcome and the reasons', async () => {
      const { id } = await create();
      await verify(id, 'POL-OLA-EXPIRED');
      await verify(id, 'REF-KARI-VALID');
      const { data } = await timeline(id);
      const told = data.filter(({ type }) => type === 'verification.completed');
      expect(told).toMatchObject([
        {
          actor: 'partner',
          data: { verification: 'policy', outcome: 'not_verified', reasons: ['wrong_person', 'expired'] },
        },
        { actor: 'partner', data: { verification: 'referral', outcome: 'verified', reasons: [] } },
      ]);
    });

    it('is a fact on the case’s page in Temporal, without number or name, and its status stays', async () => {
      const { id } = await create();
      await verify(id, 'POL-KARI-VALID');
      await verify(id, 'REF-KARI-EXPIRED');
      const handle = temporal.workflow.getHandle(workflowIdOf(id));
      const page = await eventually(async () => {
        const query = handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
        const { currentDetails } = await query;
        return /Referral:/.test(currentDetails) && currentDetails;
      });
      const day = new Date().toISOString().slice(0, 10);
      expect(page).toContain(`Policy: verified ${day}.`);
      expect(page).toContain(`Referral: not verified ${day}.`);
      const history = JSON.stringify(await handle.fetchHistory(), (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString() : value,
      );
      expect(history).toContain('verificationNoted');
      expect(history).not.toMatch(/POL-KARI|REF-KARI|Nordmann/);
      expect((await read(id)).status).toBe('pending_patient_action');
    });

    it('is kept without its number: in no table', async () => {
      const { id } = await create();
      await verify(id, 'POL-KARI-VALID');
      const tables = await service.database.any(sql.type(z.object({ table_name: z.string() }))`
        SELECT table_name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`);
      expect(tables.length).toBeGreaterThan(10);
      for (const { table_name } of tables) {
        const rows = await service.database.any(sql.type(z.object({ row: z.string() }))`
          SELECT t::text AS row FROM ${sql.identifier([table_name])} t`);
        expect(rows.filter(({ row }) => row.includes('POL-KARI-VALID'))).toEqual([]);
      }
    });
  });

  describe('is possible in every status', () => {
    it('recalled and archived, where it changes nothing else', async () => {
      const { id } = await create();
      await act(id, 'recall');
      expect((await verify(id, 'POL-KARI-VALID')).status).toBe(200);
      await act(id, 'archive');
      await until(id, ({ status }) => status === 'archived');
      expect((await verify(id, 'REF-KARI-REVOKED')).body.reasons).toEqual(['not_active']);
      expect(await read(id)).toMatchObject({
        status: 'archived',
        verification: { policy: { outcome: 'verified' }, referral: { outcome: 'not_verified' } },
      });
    });

    it('two at once are both answered, and one of them is kept', async () => {
      const { id } = await create();
      const replies = await Promise.all(
        ['POL-KARI-VALID', 'POL-KARI-EXPIRED', 'POL-NONE', 'POL-KARI-CANCELLED'].map((n) => verify(id, n)),
      );
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const kept = (await read(id)).verification.policy;
      expect(replies.map(({ body }) => body)).toContainEqual(kept);
    });
  });

  describe('refuses', () => {
    it.each([
      ['policy-verification', {}, 'policyNumber', 'required'],
      ['policy-verification', { policyNumber: 7 }, 'policyNumber', 'invalid_type'],
      ['policy-verification', { policyNumber: '  ' }, 'policyNumber', 'too_small'],
      ['policy-verification', { policyNumber: 'x'.repeat(101) }, 'policyNumber', 'too_big'],
      ['policy-verification', { policyNumber: 'a\u0000b' }, 'policyNumber', 'custom'],
      ['policy-verification', { policyNumber: 'P', referralNumber: 'R' }, 'referralNumber', 'unknown_field'],
      ['referral-verification', { policyNumber: 'P' }, 'referralNumber', 'required'],
    ])('%s of %j', async (action, body, field, code) => {
      const { id } = await create();
      const reply = await act(id, action, body);
      expect(refusalOf(reply)).toMatchObject({ http: 400, code: 'VALIDATION_FAILED' });
      const { fields } = refusalOf(reply) as { fields: { field: string; code: string }[] };
      if (code === 'custom') expect(fields).toMatchObject([{ field }]);
      else expect(fields).toContainEqual(expect.objectContaining({ field, code }));
    });

    it('another partner’s case like one that there is not', async () => {
      const { id } = await create();
      const path = `/cases/${id}/policy-verification`;
      const theirs = await service.otherPartner.post(path, { policyNumber: 'POL-KARI-VALID' });
      expect(refusalOf(theirs)).toEqual({ http: 404, code: 'CASE_NOT_FOUND' });
      expect((await read(id)).verification.policy).toBeNull();
    });
  });

  describe('under an Idempotency-Key', () => {
    it('is asked once, and answered the same again', async () => {
      const { id } = await create();
      const path = `/cases/${id}/policy-verification`;
      const again = () =>
        service.partner.post<Verification>(
          path,
          { policyNumber: 'POL-KARI-VALID' },
          { 'Idempotency-Key': `verify-${id}` },
        );
      const first = await again();
      const second = await again();
      expect([second.status, second.body]).toEqual([200, first.body]);
      expect(second.headers.get('Idempotent-Replayed')).toBe('true');
      const { data } = await timeline(id);
      expect(data.filter(({ type }) => type === 'verification.completed')).toHaveLength(1);
    });
  });

  it('leaves no number and no name in the log', () => {
    const log = service.log.join('');
    expect(log).toContain('registry unavailable');
    expect(log).not.toMatch(/(POL|REF)-|Kari|Nordmann|Hansen|identifier=/);
  });
});

describe('verification where the registry is in trouble', () => {
  let registry: OddRegistry;
  let service: TestService;
  beforeAll(async () => {
    registry = await startOddRegistry();
    service = await startService({ registries: registry.url });
  });
  afterAll(async () => {
    await service.stop();
    await registry.stop();
  });
  const { act, create, read } = partnersCases(() => service);

  it('answers 500 REGISTRY_UNAVAILABLE, says when to come back, and keeps what was kept', async () => {
    const { id } = await create();
    registry.knows([]);
    await act(id, 'policy-verification', { policyNumber: 'P' });
    const kept = (await read(id)).verification;
    expect(kept.policy?.reasons).toEqual(['unknown_number']);
    registry.answersWith((_, response) => void response.writeHead(503, { 'retry-after': '17' }).end('P-9'));
    const reply = await act(id, 'policy-verification', { policyNumber: 'P-9' });
    expect(refusalOf(reply)).toEqual({ http: 500, code: 'REGISTRY_UNAVAILABLE' });
    expect(reply.headers.get('Retry-After')).toBe('17');
    expect(JSON.stringify(reply.body)).toMatch(/policy registry does not answer/);
    expect(JSON.stringify(reply.body)).not.toMatch(/P-9|fhir|GET/);
    expect((await read(id)).verification).toEqual(kept);
  });

  it('is never "not verified" for what is no answer', async () => {
    const { id } = await create();
    for (const body of ['<html>', { resourceType: 'OperationOutcome', issue: [{ severity: 'error' }] }, 7]) {
      registry.answersWith((_, response) => json(response, body));
      const reply = await act(id, 'referral-verification', { referralNumber: 'R' });
      expect(refusalOf(reply)).toEqual({ http: 500, code: 'REGISTRY_UNAVAILABLE' });
    }
    expect((await read(id)).verification.referral).toBeNull();
  });

  it('changes the case, without a worker even: whoever asks for what is new since then finds it', async () => {
    const before = await create();
    registry.knows([]);
    await act(before.id, 'policy-verification', { policyNumber: 'P' });
    const { updatedAt } = await read(before.id);
    expect(updatedAt > before.updatedAt).toBe(true);
    const since = await service.partner.get<{ data: CaseBody[] }>(`/cases?updatedSince=${updatedAt}`);
    expect(since.body.data.map(({ id }) => id)).toEqual([before.id]);
  });

  it('works while Temporal is away', async () => {
    const away = await startService({ registries: registry.url, temporalAddress: '127.0.0.1:9' });
    try {
      registry.knows([]);
      const cases = partnersCases(() => away);
      const { id } = await cases.create();
      const reply = await cases.act<Verification>(id, 'policy-verification', { policyNumber: 'P' });
      expect([reply.status, reply.body.reasons]).toEqual([200, ['unknown_number']]);
    } finally {
      await away.stop();
    }
  });
});

describe('verification where there is no registry', () => {
  const service = useService('api');
  const { act, create } = partnersCases(() => service);

  it.each([
    ['policy-verification', { policyNumber: 'P' }, 'This deployment has no policy registry'],
    ['referral-verification', { referralNumber: 'R' }, 'This deployment has no referral registry'],
  ])('answers %s with 500 REGISTRY_UNAVAILABLE, and says so', async (action, body, words) => {
    const { id } = await create();
    const reply = await act<{ error: string }>(id, action, body);
    expect(refusalOf(reply)).toEqual({ http: 500, code: 'REGISTRY_UNAVAILABLE' });
    expect(reply.body.error).toContain(words);
    expect(reply.headers.get('Retry-After')).toMatch(/^\d+$/);
  });
});
