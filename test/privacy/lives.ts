import type { Client } from '@temporalio/client';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../../src/domain/ids.ts';
import type { Database } from '../../src/postgres/database.ts';
import { eraseCase } from '../../src/postgres/personal-data.ts';
import { workflowIdOf } from '../../workflows/contract.ts';
import { eventually } from '../support/eventually.ts';
import type { Ground } from './ground.ts';
import { CUSTOMER, MARKS, STRANGER } from './marks.ts';
import { markedCase, type People } from './people.ts';
import { quoteRows } from './quote-rows.ts';
import { readBackup } from './readings.ts';

export interface World extends Ground {
  readonly people: People;
  readonly database: Database;
  readonly client: Client;
}
type Life = (world: World) => Promise<void>;

/** What partners send that is not taken, and what is repeated. */
export const refusedCalls: Life = async ({ people: { partner, call } }) => {
  const everyFieldWrong = {
    partnerCaseId: MARKS.nationalIdentityNumber,
    patientFirstName: MARKS.firstName.repeat(20),
    patientLastName: [MARKS.lastName],
    patientEmail: `${MARKS.email}(at)`,
    patientPhone: `${MARKS.phone}kanari`,
    injuryDate: `${MARKS.birthDate}x`,
    injuryDescription: MARKS.injury.repeat(200),
    treatmentType: MARKS.injury,
    bookingDeadline: MARKS.birthDate,
  };
  await partner('POST', '/cases', everyFieldWrong);
  await partner('POST', '/cases', [MARKS]);
  await partner('POST', '/cases', JSON.stringify(markedCase()).slice(0, -3));
  await partner('POST', '/cases', `${JSON.stringify(MARKS)}${MARKS.lastName}`);
  await partner('POST', '/cases', markedCase({ injuryDescription: MARKS.injury.repeat(2_000) }));
  await partner('POST', '/cases', markedCase(), { 'content-type': `text/${MARKS.lastName.slice(0, 6)}` });
  await partner('POST', '/cases', markedCase(), { 'x-api-key': MARKS.policyNumber });
  await partner('GET', `/cases/${encodeURIComponent(MARKS.lastName)}`);
  await partner(
    'GET',
    `/cases?status=${encodeURIComponent(MARKS.lastName)}&createdFrom=${MARKS.birthDate}x&cursor=${MARKS.email}`,
  );
  await partner('GET', `/kanari?name=${encodeURIComponent(MARKS.firstName)}`);
  await call('POST', '/api/v1/auth/login', { email: MARKS.email, password: MARKS.message });
  await call('POST', '/api/v1/auth/activate', { activationToken: MARKS.message, password: MARKS.lastName });
  await call('GET', `/b/${encodeURIComponent(MARKS.lastName)}?x=${encodeURIComponent(MARKS.email)}`);
  await call('GET', `/%E0%A4%A?${MARKS.policyNumber}`);
  await call(
    'POST',
    `/callbacks/twilio/status?message=${MARKS.policyNumber}`,
    new URLSearchParams({ To: MARKS.phone }),
  );
  await call(
    'GET',
    `/eid/callback?error=access_denied&error_description=${encodeURIComponent(MARKS.message)}&state=kanari`,
  );
  await call('GET', `/eid/callback?code=${MARKS.policyNumber}&state=${encodeURIComponent(MARKS.firstName)}`);
};

/**
 * From the call to the archive, with a clinic and a telephone service that fail on the way, and quote the patient.
 *
 * @returns the case's id
 */
export const bookedInTheEnd = async ({ people, clinics, phone }: World): Promise<CaseId> => {
  const { partner } = people;
  const refusedNumber = { status: 400, path: /90055125/ };
  phone.failsWith({ status: 500, path: /90055123/ }, refusedNumber);
  const key = { 'idempotency-key': 'canary-1' };
  const body = markedCase();
  const { id } = (await partner('POST', '/cases', body, key)).body;
  await partner('POST', '/cases', body, key);
  await partner('POST', '/cases', { ...body, patientFirstName: STRANGER.givenName }, key);
  await partner('POST', '/cases', body);
  await eventually(() => phone.quoted.includes(500), { what: 'the telephone service has failed' });
  // that one is of another life
  phone.failsWith(refusedNumber);

  const arrived = await people.logIn(id, CUSTOMER);
  const customer = people.customer(id, arrived);
  await customer('GET', '');
  const { slots } = (await customer('GET', '/availability')).body;
  // Not where a confirm looks for the clinic's own appointments: where the booking looks for its own.
  for (const clinic of clinics) clinic.failsWith({ status: 503, path: /Appointment\?identifier/ });
  await customer('POST', '/confirm', { slotId: `${slots[0].slotId}x`, name: MARKS.lastName });
  await customer('POST', '/confirm', { slotId: slots[0].slotId });
  await eventually(() => clinics.some(({ quoted }) => quoted.length > 1), { what: 'a clinic has failed' });
  await partner('PATCH', `/cases/${id}`, {
    patientPhone: MARKS.otherPhone,
    patientFirstName: MARKS.firstName,
  });
  await partner('PATCH', `/cases/${id}`, { patientEmail: `${MARKS.email}@`, patientPhone: MARKS.message });
  for (const clinic of clinics) clinic.failsWith();
  await people.until(id, ({ booking }) => booking?.transferredAt, 'the booking is in the calendar');
  for (const clinic of clinics) clinic.failsWith({ status: 500, method: /GET/ });
  await customer('GET', '/availability');
  for (const clinic of clinics) clinic.failsWith();
  await customer('POST', '/cancel');
  await customer('POST', '/assistance', {
    message: MARKS.message,
    preferredContact: 'phone',
    phone: MARKS.otherPhone,
    interpreter: MARKS.firstName,
    helper: { name: MARKS.lastName, relation: 'parent' },
  });
  await customer('POST', '/assistance', { message: MARKS.message, preferredContact: MARKS.phone });
  await people.operatorTold(id, 'assistance');
  await people.operator('case', 'show', id);
  await people.operator('case', 'show', id, '--reveal', '--ticket', 'S-1', '--reason', MARKS.reason);
  await people.operator('case', 'resolve-assistance', id, '--note', MARKS.message);
  await partner('POST', `/cases/${id}/recall`, { reason: MARKS.reason });
  await partner('POST', `/cases/${id}/archive`);
  await people.until(id, ({ status }) => status === 'archived', 'the case is archived');
  return id as CaseId;
};

const keptRow = z.object({ sealed: z.instanceof(Buffer), wrapped: z.string() });

/** A case that was erased, what was kept of it until then, and the last backups that had it. */
export type Erased = Awaited<ReturnType<typeof erase>>;

export async function erase({ database, described }: World, id: CaseId) {
  const kept = await database.one(sql.type(keptRow)`
    SELECT sealed, wrapped FROM cases JOIN keys.data_keys ON case_id = id WHERE id = ${id}`);
  const before = {
    data: await readBackup(database, described.databaseUrl, 'data'),
    keys: await readBackup(database, described.databaseUrl, 'keys'),
  };
  if (!(await eraseCase(database, id, { why: 'request', by: 'ada' }))) throw new Error('it is not erased');
  return { id, kept, before };
}

/** Registries that quote what they were asked for, and a clinic that refuses the appointment for good. */
export const refusedByOthers: Life = async ({ people, registry, clinics }) => {
  const { partner } = people;
  const id = await people.handOver();
  for (const status of [400, 404, 500, 503]) {
    registry.failsWith({ status });
    await partner('POST', `/cases/${id}/policy-verification`, { policyNumber: MARKS.policyNumber });
    await partner('POST', `/cases/${id}/referral-verification`, { referralNumber: MARKS.referralNumber });
  }
  await partner('POST', `/cases/${id}/policy-verification`, { policyNumber: [MARKS.policyNumber] });
  const customer = people.customer(id, await people.logIn(id, CUSTOMER));
  for (const clinic of clinics) clinic.failsWith({ status: 422, method: /POST/, path: /Appointment/ });
  const { slots } = (await customer('GET', '/availability')).body;
  await customer('POST', '/confirm', { slotId: slots.at(-1).slotId });
  await people.until(id, ({ problem }) => problem?.code === 'TRANSFER_REFUSED', 'the clinic has refused');
  for (const clinic of clinics) clinic.failsWith();
  await people.operatorTold(id, 'transfer_refused');
  await people.operator('case', 'list', '--attention');
  await people.operator('case', 'retry', id);
};

/** Addresses that nobody has, or not yet; and a correction. */
export const undeliverable: Life = async ({ people, mail, phone }) => {
  const slow = await people.handOver({ patientEmail: MARKS.slowEmail, patientPhone: MARKS.otherPhone });
  const id = await people.handOver({ patientEmail: MARKS.refusedEmail, patientPhone: MARKS.refusedPhone });
  await people.until(id, ({ problem }) => problem?.code === 'UNDELIVERABLE', 'no message arrives');
  await people.operatorTold(id, 'undeliverable');
  await people.operator('case', 'correct', id, '--email', `${MARKS.email}(at)`);
  await people.operator('case', 'correct', id, '--email', MARKS.email, '--first-name', MARKS.firstName);
  await people.partner('POST', `/cases/${id}/notifications`, { channel: MARKS.phone });
  await people.partner('POST', `/cases/${id}/notifications`, { channel: 'email' });
  await people.until(slow, ({ notifications }) => notifications.length > 1, 'both messages are under way');
  await eventually(() => mail.refused.includes(MARKS.slowEmail) && phone.quoted.includes(400), {
    what: 'they have failed',
  });
};

/** Whoever got somebody else's link, and whoever gives up at the eID. */
export const strangers: Life = async ({ people }) => {
  const id = await people.handOver();
  const arrived = await people.logIn(id, STRANGER);
  const stranger = people.customer(id, arrived);
  await stranger('GET', '');
  await stranger('GET', '/availability');
  await stranger('POST', '/cancel');
  await people.logIn(id, 'cancel');
  await people.form(id, 'help', { message: MARKS.message.repeat(200), preferredContact: MARKS.phone });
  await people.form(id, 'help', { message: MARKS.message, preferredContact: 'email' });
  await people.form(id, 'not-for-me', { name: MARKS.lastName });
  await people.operatorTold(id, 'assistance', 'disowned');
};

/** A database whose errors hold the row. */
export const quotedByPostgres: Life = async ({ people, database, client }) => {
  const { partner } = people;
  const id = await people.handOver();
  const attempts = async () => {
    const { raw } = await client.workflow.getHandle(workflowIdOf(id as CaseId)).describe();
    return Math.max(0, ...(raw.pendingActivities ?? []).map(({ attempt }) => attempt ?? 0));
  };
  await people.until(id, ({ notifications }) => notifications.length > 1, 'its messages are under way');
  const takeThem = await quoteRows(database, 'BOTH');
  try {
    await partner('POST', '/cases', markedCase());
    await partner('POST', '/cases', markedCase(), { 'idempotency-key': 'canary-2' });
    await partner('PATCH', `/cases/${id}`, { patientEmail: MARKS.slowEmail });
    await partner('PATCH', `/cases/${id}`, { patientLastName: STRANGER.familyName });
    await people.call('POST', `/api/v1/booking/${id}/assistance`, { message: MARKS.message });
    await people.form(id, 'help', { message: MARKS.message });
    await people.logIn(id, CUSTOMER);
  } finally {
    await takeThem();
  }
  const takeCases = await quoteRows(database, 'UPDATE', ['cases']);
  try {
    await people.call('POST', `/api/v1/booking/${id}/assistance`, { message: MARKS.message });
    await eventually(async () => (await attempts()) > 2, { what: 'the case can not be written down' });
  } finally {
    await takeCases();
  }
  await people.until(id, ({ assistance }) => assistance, 'the case is written down');
};

/** What was changed by hand, and a workflow that was ended by hand. */
export const outOfStep: Life = async ({ people, database, client }) => {
  const [altered, lost] = await Promise.all([people.handOver(), people.handOver()]);
  for (const id of [altered, lost])
    await people.until(id, ({ notifications }) => notifications.length > 1, 'its messages are under way');
  await database.query(sql.type(z.object({}))`UPDATE cases SET status = 'booked' WHERE id = ${altered}`);
  await client.workflow.getHandle(workflowIdOf(lost as CaseId)).terminate();
  await people.operator('reconcile', '--full');
  await people.operatorTold(lost, 'workflow_lost');
  await people.operator('case', 'list', '--attention', 'workflow_lost');
  await people.operator('case', 'restart', lost, '--yes', '--note', MARKS.reason);
  await people.operator('reconcile', '--last');
};
