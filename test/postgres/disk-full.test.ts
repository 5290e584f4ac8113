import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseBody } from '../support/caller.ts';
import { newCase } from '../support/new-case.ts';
import { partnersCases, refusalOf } from '../support/partners-cases.ts';
import { startService, type TestService } from '../support/service.ts';

const nothing = z.object({});
const WRITTEN = [
  'access_log',
  'cases',
  'case_texts',
  'case_corrections',
  'notifications',
  'idempotency_keys',
];

/** Reads go on then, and every write fails with PostgreSQL's 53100; what it does at a disk that is really full is its own. */
describe("while PostgreSQL's disk is full", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ worker: true, messages: true });
    await query(sql.fragment`
      CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
      END $$`);
  });
  afterAll(() => service.stop());

  const query = (fragment: ReturnType<typeof sql.fragment>) =>
    service.database.query(sql.type(nothing)`${fragment}`);
  const fill = async () => {
    for (const table of WRITTEN)
      await query(sql.fragment`
        CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON ${sql.identifier([table])}
        EXECUTE FUNCTION disk_full()`);
  };
  const makeRoom = async () => {
    for (const table of WRITTEN)
      await query(sql.fragment`DROP TRIGGER IF EXISTS disk_full ON ${sql.identifier([table])}`);
  };
  const { create, notified, until, timeline } = partnersCases(() => service);

  it('reads and writes are a 500 that says to try again, and what was under way ends once there is room', async () => {
    const { id } = await create();
    await notified(id);
    await fill();
    const key = { 'Idempotency-Key': 'disk-full' };
    const body = newCase();
    try {
      const away = { http: 500, code: 'TEMPORARILY_UNAVAILABLE' };
      expect(refusalOf(await service.partner.post('/cases', body, key))).toEqual(away);
      expect(refusalOf(await service.nobody.post(`/booking/${id}/assistance`, { message: 'hei' }))).toEqual(
        away,
      );
      expect(
        refusalOf(await service.partner.patch(`/cases/${id}`, { patientEmail: 'kari@example.com' })),
      ).toEqual(away);
      // nor is anything shown of which nobody could say afterwards who saw it
      expect(refusalOf(await service.partner.get(`/cases/${id}`))).toEqual(away);
      expect(refusalOf(await service.partner.get('/cases'))).toEqual(away);
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
      // its workflow has said yes, and nobody can see that yet
      const recalled = await service.partner.post(`/cases/${id}/recall`);
      expect(refusalOf(recalled)).toEqual({ http: 500, code: 'OUTCOME_UNKNOWN' });
    } finally {
      await makeRoom();
    }
    await until(id, ({ status }) => status === 'recalled');
    await notified(id, 2);
    const { data } = await timeline(id);
    expect(data.filter(({ type }) => type === 'case.recalled')).toHaveLength(1);

    const again = await service.partner.post<CaseBody>('/cases', body, key);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, null]);
    await notified(again.body.id);
  });
});
