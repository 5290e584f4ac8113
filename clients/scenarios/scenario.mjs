// What `npm run clients` has our client do, as it is built: hand over, list, read, follow, correct, recall, and be refused.
import { randomUUID } from 'node:crypto';
import { createClient, dataOf } from 'treatment-booking-client';

const check = (what, isSo) => {
  console.log(`${what} ${isSo ? 'ok' : 'FAILED'}`);
  if (!isSo) process.exit(1);
};
const day = (n) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);

const client = createClient({ baseUrl: process.env.API, apiKey: process.env.KEY });
const body = {
  partnerCaseId: `typescript-${randomUUID()}`,
  patientFirstName: 'Kari',
  patientLastName: 'Nordmann',
  patientEmail: 'kari.nordmann@example.com',
  injuryDate: day(-30),
  treatmentType: 'psychology',
  bookingDeadline: day(14),
};
const created = await dataOf(client.POST('/cases', { body }));
check('create', created.status === 'pending_patient_action');
const query = { status: ['pending_patient_action'], createdFrom: day(-1) };
const listed = await dataOf(client.GET('/cases', { params: { query } }));
check(
  'list',
  listed.data.some(({ id }) => id === created.id),
);
const params = { path: { caseId: created.id } };
check('read', (await dataOf(client.GET('/cases/{caseId}', { params }))).booking === null);
let seen = 0;
for await (const { events } of client.follow({ untilNow: true })) seen += events.length;
check('events', seen > 0);
const changed = await dataOf(client.PATCH('/cases/{caseId}', { params, body: { bookingDeadline: day(21) } }));
check('patch', changed.bookingDeadline === day(21));
const refused = await dataOf(client.POST('/cases', { body })).catch((error) => error);
check('error', refused.status === 400 && refused.details.caseId === created.id);
const recalled = await dataOf(client.POST('/cases/{caseId}/recall', { params, body: { reason: 'tried' } }));
check('recall', recalled.recall !== null);
