import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { startBusinessGauges } from '../../src/metrics/business-gauges.ts';
import { GAUGE_QUERIES, readGauges } from '../../src/postgres/gauges.ts';
import { eventually } from '../support/eventually.ts';
import { useCases } from './support/cases.ts';

const nothing = z.object({});

describe('what waits in all of the service', () => {
  const cases = useCases();
  beforeAll(async () => {
    const waiting = await cases.create();
    const started = await cases.create();
    const query = (fragment: ReturnType<typeof sql.fragment>) =>
      cases.database.query(sql.type(nothing)`${fragment}`);
    await query(
      sql.fragment`UPDATE cases SET created_at = now() - interval '90 seconds' WHERE id = ${waiting}`,
    );
    await query(sql.fragment`
      UPDATE cases SET workflow_started_at = now(), status = 'booked', state = state || jsonb_build_object(
        'bookings', jsonb_build_array(
          jsonb_build_object('transferredAt', null, 'abandonedBy', null, 'confirmedAt', now() - interval '10 minutes'),
          jsonb_build_object('transferredAt', null, 'abandonedBy', 'customer', 'confirmedAt', now() - interval '1 hour')))
      WHERE id = ${started}`);
    for (const [id, failure] of Object.entries({ a: null, b: 'smtp_535', c: 'held_partner' }))
      await query(sql.fragment`
        INSERT INTO notifications (dedup_id, case_id, kind, channel, status, at, sequence, contact_version, failure)
        VALUES (${id}, ${started}, 'invitation', 'email', 'queued', now() - interval '5 minutes', 1, 1, ${failure})`);
    await query(sql.fragment`
      INSERT INTO booking_failures (booking_id, task, case_id, since, answer)
      VALUES (gen_random_uuid(), 'release', ${started}, now() - interval '20 minutes', 'HTTP 503')`);
    await query(sql.fragment`
      INSERT INTO attention (kind, case_id, cause, since) VALUES ('assistance', ${started}, '', now() - interval '1 day')`);
    await query(sql.fragment`
      INSERT INTO reconciliations (kind, checked, differing, mended, without_workflow, without_case, unanswered, orphans)
      VALUES ('regular', 5, 9, 9, 9, 9, 9, '{}'), ('regular', 5, 1, 1, 0, 2, 0, '{}')`);
    await query(sql.fragment`
      INSERT INTO provider_findings VALUES ('nordlys', 'malformed', 'Slot', 2, now(), now()), ('nordlys', 'malformed', '', 3, now(), now())`);
  });

  it('is counted, with the age of the oldest', async () => {
    const read = await readGauges(cases.database);
    const about = (seconds: number) => expect.closeTo(seconds, -2);
    expect(read).toMatchObject({
      unstarted: { count: 1, oldest: about(90) },
      // one that was given up since is on its way out
      transfers: { count: 1, oldest: about(600) },
      releases: { count: 1, oldest: about(1_200) },
      attention: [{ kind: 'assistance', count: 1, oldest: about(86_400) }],
      reconciliations: [{ kind: 'regular', differing: 1, withoutWorkflow: 0, withoutCase: 2, unanswered: 0 }],
      findings: [{ clinic: 'nordlys', kind: 'malformed', count: 5 }],
      keysEnding: 0,
    });
    expect(read.messages.map(({ state, count }) => [state, count]).sort()).toEqual([
      ['failing', 1],
      ['held', 1],
      ['new', 1],
    ]);
    expect(read.server.connections).toBeGreaterThan(0);
    expect(read.server.maxConnections).toBeGreaterThan(read.server.connections);
    // nothing is archived here
    expect(read.server.archiveAge).toBeNull();
  });

  it('is found by indexes', async () => {
    const plans = await cases.database.transaction(async (tx) => {
      await tx.query(sql.type(nothing)`SET LOCAL enable_seqscan = off`);
      const found: string[] = [];
      for (const query of Object.values(GAUGE_QUERIES))
        found.push(
          JSON.stringify(
            await tx.any(sql.type(z.object({ 'QUERY PLAN': z.string() }))`
              EXPLAIN ${query}`),
          ),
        );
      return found;
    });
    // what is left to be read whole without one; these are small
    const whole = plans.flatMap((plan) => [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => table));
    expect(
      whole.filter((table) => !['api_keys', 'provider_findings', 'pg_database'].includes(table ?? '')),
    ).toEqual([]);
  });

  it('is told by one process at a time, and by the next when that one has ended; none tells what is not known', async () => {
    const start = (readTemporal = () => Promise.reject(new Error('away'))) =>
      startBusinessGauges({
        database: cases.database,
        readTemporal,
        onFailure: () => undefined,
        runEvery: 50,
      });
    const first = start();
    await eventually(async () => (await first.metrics()).includes('booking_cases_unstarted 1'));
    expect(await first.metrics()).not.toContain('booking_current_version_workers');
    const second = start();
    let looks = 0;
    await eventually(async () => {
      looks += 1;
      return looks > 5 && (await second.metrics()).trim() === '';
    });
    await first.stop();
    await eventually(async () => (await second.metrics()).includes('booking_cases_unstarted 1'));
    await second.stop();
  });
});
