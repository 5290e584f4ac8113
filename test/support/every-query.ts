import { sql } from 'slonik';
import { z } from 'zod';
import { CASE_STATUSES } from '../../src/domain/case-state.ts';
import type { BookingId, CaseId, PartnerId, ProviderId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { readAccessLog, readCaseReaders } from '../../src/postgres/access-log.ts';
import { countAttention, countAttentionAtProviders, listAttention } from '../../src/postgres/attention.ts';
import { createAppointments, readWaiting } from '../../src/postgres/bookings.ts';
import { type CaseFilter, findCases, listAllCases, listCases, readCase } from '../../src/postgres/cases.ts';
import { takeUnstarted } from '../../src/postgres/create-case.ts';
import { readBoundPerson } from '../../src/postgres/customers.ts';
import type { Database, Queries } from '../../src/postgres/database.ts';
import { caseEvents, feedEvents, numberEvents } from '../../src/postgres/events.ts';
import { readGauges } from '../../src/postgres/gauges.ts';
import { readLog } from '../../src/postgres/operators.ts';
import { exportCase, listErasures } from '../../src/postgres/personal-data.ts';
import { findProvider } from '../../src/postgres/providers.ts';
import {
  createReconciliationRepository,
  readLastReconciliations,
} from '../../src/postgres/reconciliation.ts';
import { createOrphans, readTakenSlots } from '../../src/postgres/slot-claims.ts';

type Asked = (queries: Queries) => Promise<unknown>;

/** What partners, customers, operators and jobs ask of tables that grow with the cases, by who asks it. */
export async function everyQuery(
  database: Database,
): Promise<{ readonly partnerId: PartnerId; readonly queries: Readonly<Record<string, Asked>> }> {
  const one = await database.one(
    sql.type(
      z.object({
        id: z.custom<CaseId>(),
        partnerId: z.custom<PartnerId>(),
        bookingId: z.custom<BookingId>(),
        createdAt: z.string().transform((text) => instant(text)),
        providerId: z.custom<ProviderId>(),
      }),
    )`
    SELECT c.id, c.partner_id AS "partnerId", b.id AS "bookingId", c.created_at AS "createdAt",
      b.provider_id AS "providerId"
    FROM cases c JOIN bookings b ON b.id = c.booking_id ORDER BY c.id LIMIT 1`,
  );
  const { id, partnerId, bookingId, providerId, createdAt } = one;
  const now = instant(Date.now());
  const [limit, hourAgo] = [101, daysAfter(now, -1 / 24)];
  const place = { createdAt, id };
  const partners = (filter: Partial<CaseFilter>, after: typeof place | null = null): Asked => {
    const page = { partnerId, filter: { statuses: [], ...filter }, limit, after };
    return (queries) => listCases(queries, page);
  };
  const operators = (filter: Partial<Parameters<typeof listAllCases>[1]>, isDeep = false): Asked => {
    const after = isDeep ? { created_at: createdAt, id } : null;
    return (queries) => listAllCases(queries, { statuses: [], ...filter }, { limit, after });
  };
  const work = (filter: Partial<Parameters<typeof listAttention>[1]>): Asked => {
    return (queries) => listAttention(queries, { limit, ...filter });
  };
  const queries: Record<string, Asked> = {
    'partner: a case': (queries) => readCase(queries, id),
    'partner: the newest cases': partners({}),
    'partner: cases from anywhere': partners({}, place),
    'partner: cases of two statuses': partners({ statuses: ['error', 'booked'] }),
    'partner: cases of all statuses, from anywhere': partners({ statuses: CASE_STATUSES }, place),
    'partner: cases of a reference': partners({ partnerCaseId: 'TF-777' }),
    'partner: cases of a treatment': partners({ treatmentType: 'chiropractic' }),
    'partner: cases changed within the hour': partners({ updatedSince: hourAgo }),
    'partner: cases created before': partners({ createdTo: createdAt }),
    'partner: a timeline': (queries) => caseEvents(queries, { caseId: id, after: 0, limit }),
    'partner: events from anywhere': (queries) => feedEvents(queries, { partnerId, after: 25_000, limit }),
    'partner: the newest event': (queries) => numberEvents(queries, partnerId),
    'customer: who they are': (queries) => readBoundPerson(queries, id),
    'customer: who has read it': (queries) => readCaseReaders(queries, id),
    'customer: taken times': (queries) =>
      readTakenSlots(queries, { providers: [providerId], from: now, to: daysAfter(now, 14) }),
    'operator: the newest cases': operators({}),
    'operator: cases from anywhere': operators({}, true),
    'operator: cases of a status': operators({ statuses: ['error'] }),
    'operator: a partner’s of two statuses': operators({ partnerId, statuses: ['error', 'booked'] }),
    'operator: cases changed within the hour': operators({ updatedSince: hourAgo }),
    'operator: cases that need somebody': operators({ attention: ['assistance', 'undeliverable'] }),
    'operator: the same from anywhere': operators({ attention: ['assistance', 'undeliverable'] }, true),
    'operator: a partner’s that need somebody': operators({ partnerId, attention: ['assistance'] }),
    'operator: cases without a workflow': operators({ attention: ['workflow_lost'] }),
    'operator: a case by the beginning of its id': (queries) => findCases(queries, id.slice(0, 8)),
    'operator: a case by its reference': (queries) => findCases(queries, 'TF-777'),
    'operator: the work list': work({}),
    'operator: the work list of a kind': work({ kinds: ['undeliverable'] }),
    'operator: the work list of a partner': work({ partnerId }),
    'operator: what nobody has': work({ takenBy: null }),
    'operator: what somebody has': work({ takenBy: 'kari' }),
    'operator: how much needs somebody': (queries) => countAttention(queries, {}),
    'operator: how much nobody has': (queries) => countAttention(queries, { takenBy: null }),
    'operator: how much waits at clinics': countAttentionAtProviders,
    'operator: a clinic': (queries) => findProvider(queries, providerId),
    'operator: who read a case': (queries) => readAccessLog(queries, { caseId: id, limit }),
    'operator: what somebody read': (queries) => readAccessLog(queries, { whoId: 'nobody', limit }),
    'operator: what was read from somewhere': (queries) =>
      readAccessLog(queries, { address: '10.1.1.7', limit }),
    'operator: what an operator did': (queries) => readLog(queries, { operator: 'kari', limit }),
    'operator: what was done to a case': (queries) => readLog(queries, { caseId: id, limit }),
    'operator: what was erased': (queries) => listErasures(queries, { limit }),
    'operator: all of a case': (queries) => exportCase(queries, id),
    'operator: the newest comparisons': readLastReconciliations,
    'job: gauges': readGauges,
    'job: a clinic’s coming appointments': (queries) =>
      createAppointments(queries).coming(providerId, { limit: 50, after: null, only: null }),
    'job: cases to be started': (queries) => takeUnstarted(queries, 10),
    'job: claims that ended': (queries) => createOrphans(queries).endedClaims(providerId),
    'job: slots that stayed busy': (queries) => createOrphans(queries).notFree(providerId),
    'job: whose marks these are': (queries) => createOrphans(queries).ownersOf([bookingId]),
    'job: who waits for a time': (queries) => readWaiting(queries, bookingId),
    'job: the next page of the round': (queries) =>
      createReconciliationRepository(queries as Database).takeDue(500),
    'job: a page of the night’s': (queries) =>
      createReconciliationRepository(queries as Database).page(id, 500),
  };
  return { partnerId, queries };
}
