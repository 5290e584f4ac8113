import type { ReceivedSpan } from '../../dev/trace-receiver.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { openBrowser, type Json } from '../support/browser.ts';
import { hasLeft } from '../support/partners-cases.ts';
import { hiddenField, logIn } from './log-in.ts';
import { startDevStack, type DevStack } from './dev-stack.ts';
import { describeAttention } from './attention.ts';
import { describeBreaches } from './breaches.ts';
import { describeOutages } from './outages.ts';
import { worldOf, type World } from './world.ts';

const KARI = { givenName: 'Kari Anne', familyName: 'Nordmann', birthDate: '1985-03-02' };

let stack: DevStack;
let world: World;

beforeAll(async () => {
  stack = await startDevStack();
  world = worldOf(stack.description);
});

afterAll(() => stack.remove());

const caseIs = (id: string, status: string) =>
  eventually(
    async () => {
      const { body } = await world.call('GET', `/cases/${id}`);
      return body.status === status && body;
    },
    { what: `the case is ${status}` },
  );

/** Each span as the names of those above it and its own. */
function pathsOf(spans: readonly ReceivedSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathOf = ({ name, parentSpanId }: ReceivedSpan): string => {
    const parent = byId.get(parentSpanId);
    return parent ? `${pathOf(parent)} > ${name}` : name;
  };
  return spans.map(pathOf);
}

const live = (appointments: Json[]) => appointments.filter(({ status }) => status === 'booked');

/** A logged-in customer of a new case. */
async function customerOf(created: Json) {
  const browser = openBrowser();
  const first = await logIn(browser, created.bookingUrl, KARI);
  // or all that follows would wait for what nobody is shown who is not logged in
  const heading = /<h1[^>]*>([^<]*)/.exec(first.text)?.[1];
  if (first.status !== 200)
    throw new Error(`the login led to ${first.status} ${first.url.pathname}: ${heading}`);
  const booking = `${stack.description.api}/booking/${created.id}`;
  // of a clinic that can be asked what it has by FHIR
  const isFhir = ({ providerId }: Json) => stack.description.providers.some(({ id }) => id === providerId);
  const slots = async () =>
    ((await browser.json('GET', `${booking}/availability`)).body.slots as Json[]).filter(isFhir);
  return { browser, first, booking, slots };
}

it('keeps what it writes from everybody else on this machine: keys, passwords, customers', async () => {
  const all = await readdir(stack.directory, { recursive: true, withFileTypes: true });
  const files = all
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    // PostgreSQL keeps its own
    .filter((file) => !file.startsWith(join(stack.directory, 'postgres')));
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    // a database's journal comes and goes
    const found = await stat(file).catch(() => null);
    expect([file, (found?.mode ?? 0) & 0o077]).toEqual([file, 0]);
  }
});

describe('from the call of the partner to the calendar of the provider', () => {
  it('takes a case the whole way over the pages: messages, login, times of both clinics, confirm, receipt', async () => {
    const created = await world.newCase();
    const [mail] = await eventually(
      async () => {
        const mails = await world.mails(created.id);
        return mails.length > 0 && mails;
      },
      { what: 'an invitation by mail' },
    );
    const [sms] = await eventually(
      async () => {
        const texts = await world.texts(created.id);
        return texts.length > 0 && texts;
      },
      { what: 'an invitation by SMS' },
    );
    expect(mail?.text).toContain(created.bookingUrl);
    expect(mail?.html).toContain(created.bookingUrl);
    expect(sms.body).toContain(created.bookingUrl);
    expect(`${mail?.subject} ${mail?.text} ${mail?.html} ${sms.body}`).not.toMatch(/psyk|Fall on|Kari/i);

    const browser = openBrowser();
    const where = await logIn(browser, created.bookingUrl, KARI);
    expect(where.url.pathname).toBe(`/b/${created.id}/times`);
    expect(where.text).toMatch(/Bergen[^]*Oslo[^]*Video/);
    const times = await browser.get(new URL('?mode=any', where.url));
    expect(times.text).toContain('Fjordklinikken');
    expect(times.text).toContain('Nordlys Helse');

    const choice = /href="([^"]*\/confirm\?slot=[^"]*)"/.exec(times.text)?.[1] ?? '';
    const asked = await browser.get(new URL(choice.replaceAll('&amp;', '&'), times.url));
    const receipt = await browser.post(new URL(`/b/${created.id}/confirm`, times.url), {
      _token: hiddenField(asked, '_token'),
      slot: hiddenField(asked, 'slot'),
      replaces: hiddenField(asked, 'replaces'),
    });
    expect(receipt.status).toBe(200);
    expect(receipt.text).toContain('Timen din');

    const booked = await eventually(
      async () => {
        const { body } = await world.call('GET', `/cases/${created.id}`);
        return body.booking?.transferredAt && body;
      },
      { what: 'the booking is transferred' },
    );
    expect(booked.status).toBe('booked');
    const appointments = await world.appointments(created.id);
    expect(appointments).toHaveLength(1);
    expect(appointments[0]).toMatchObject({
      status: 'booked',
      id: booked.booking.providerReference,
      reasonCode: [{ text: 'Fall on ice by the bus stop' }],
    });
    expect(new Date(appointments[0].start).toISOString()).toBe(booked.booking.start);
    await eventually(
      async () => {
        const { body } = await world.call('GET', `/cases/${created.id}`);
        return body.notifications.filter((n: Json) => n.kind === 'receipt' && hasLeft(n)).length === 2;
      },
      { what: 'a receipt by mail and SMS' },
    );
  });

  it('is one trace: the call, the outbox, the workflow, its activities, the clinic, and what the customer does', async () => {
    const created = await world.newCase();
    const { browser, booking, slots } = await customerOf(created);
    // whose booking system takes an appointment as one transaction
    const slot = (await slots()).filter(({ providerId }) => providerId === 'nordlys').at(-1);
    expect((await browser.json('POST', `${booking}/confirm`, { slotId: slot.slotId })).status).toBe(200);

    const call = 'POST /api/v1/cases';
    const confirm = `${call} > POST /api/v1/booking/:caseId/confirm > case confirm`;
    const wanted = [
      `${call} > case start > activity sendMessage`,
      `${confirm} > activity secureSlot > PUT Slot`,
      `${confirm} > activity project`,
      `${confirm} > activity transferBooking > POST Bundle`,
      `${confirm} > activity projectAndSend`,
    ];
    const spans = await eventually(
      async () => {
        const all = (await (await fetch(`${stack.description.traces}/spans`)).json()) as ReceivedSpan[];
        const isIts = ({ attributes }: ReceivedSpan) => attributes['booking.case_id'] === created.id;
        const trace = all.find((span) => span.name === call && isIts(span))?.traceId;
        const found = all.filter(({ traceId }) => traceId === trace);
        return wanted.every((path) => pathsOf(found).includes(path)) && found;
      },
      { what: `these in one trace: ${wanted.join('; ')}` },
    );
    expect(spans.find(({ name }) => name === call)).toMatchObject({
      parentSpanId: '',
      service: 'treatment-booking-api',
      attributes: { 'http.response.status_code': '201', 'booking.partner_id': 'fjordtrygd' },
    });
    // whoever looks only, as often as they like, makes a case's trace no longer
    expect(spans.map(({ name }) => name)).not.toContainEqual(expect.stringMatching(/^GET \//));
    const lines = await readFile(join(stack.directory, 'logs/worker.log'), 'utf8');
    expect(lines).not.toContain('spans could not be sent');
    const request = await readFile(join(stack.directory, 'logs/api.log'), 'utf8').then((text) =>
      text.split('\n').find((line) => line.includes(created.id) && line.includes('"route":"/api/v1/cases"')),
    );
    expect(JSON.parse(request ?? '{}')).toMatchObject({ traceId: spans[0]?.traceId });
  });

  it('ends with one live appointment after book, cancel, and book the same slot', async () => {
    const created = await world.newCase();
    const { browser, booking, slots } = await customerOf(created);
    const [slot] = await slots();
    expect((await browser.json('POST', `${booking}/confirm`, { slotId: slot.slotId })).status).toBe(200);
    expect((await browser.json('POST', `${booking}/cancel`)).body.status).toBe('pending_patient_action');
    const again = await browser.json('POST', `${booking}/confirm`, { slotId: slot.slotId });
    expect(again.status).toBe(200);
    await eventually(
      async () => {
        const { body } = await world.call('GET', `/cases/${created.id}`);
        return body.booking?.transferredAt && live(await world.appointments(created.id)).length === 1;
      },
      { what: 'one appointment' },
    );
  });

  it('ends with one live appointment after a change, and the old slot is free again', async () => {
    const created = await world.newCase();
    const { browser, booking, slots } = await customerOf(created);
    const [first, , , , other] = await slots();
    await browser.json('POST', `${booking}/confirm`, { slotId: first.slotId });
    const changed = await browser.json('POST', `${booking}/confirm`, { slotId: other.slotId });
    expect(changed.body.start).toBe(other.start);
    await eventually(
      async () => {
        const now = live(await world.appointments(created.id));
        const { body } = await world.call('GET', `/cases/${created.id}`);
        return (
          now.length === 1 &&
          new Date(now[0].start).toISOString() === other.start &&
          body.booking?.transferredAt
        );
      },
      { what: 'only the new appointment' },
    );
    await eventually(
      async () =>
        (await slots()).some(
          ({ start, practitioner }) => start === first.start && practitioner === first.practitioner,
        ),
      { what: 'the old slot is offered again' },
    );
  });

  it('gives a slot that two customers want to one of them, and the other three alternatives', async () => {
    const cases = [await world.newCase(), await world.newCase()];
    const [one, two] = await Promise.all(cases.map(customerOf));
    if (!one || !two) throw new Error('two customers were asked for');
    const wanted = (await one.slots())[7];
    const same = (await two.slots()).find(
      (s) => s.start === wanted.start && s.practitioner === wanted.practitioner,
    );
    const answers = await Promise.all([
      one.browser.json('POST', `${one.booking}/confirm`, { slotId: wanted.slotId }),
      two.browser.json('POST', `${two.booking}/confirm`, { slotId: same.slotId }),
    ]);
    const [won, lost] = answers.sort((a, b) => a.status - b.status);
    expect(won.status).toBe(200);
    expect(lost.status).toBe(400);
    expect(lost.body.details.code).toBe('SLOT_TAKEN');
    expect(lost.body.details.alternatives).toHaveLength(3);
  });

  it('books while the clinic is down as soon as it is back, and loses nothing', async () => {
    const created = await world.newCase();
    const { browser, booking, slots } = await customerOf(created);
    const slot = (await slots())[11];
    const clinic = stack.description.providers.find(({ id }) => id === slot.providerId);
    const refuse = { method: 'POST', times: 2, effect: 'answer', status: 503 };
    await fetch(`${clinic?.calendar}/_faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(refuse),
    });
    expect((await browser.json('POST', `${booking}/confirm`, { slotId: slot.slotId })).status).toBe(200);
    await eventually(async () => live(await world.appointments(created.id)).length === 1, {
      what: 'the appointment stands in the calendar',
      withinMs: 30_000,
    });
  });

  it('takes the appointment out of the calendar when the partner recalls', async () => {
    const created = await world.newCase();
    const { browser, booking, slots } = await customerOf(created);
    await browser.json('POST', `${booking}/confirm`, { slotId: (await slots())[9].slotId });
    const recalled = await world.call('POST', `/cases/${created.id}/recall`, { reason: 'Covered elsewhere' });
    expect(recalled.body).toMatchObject({
      status: 'recalled',
      booking: null,
      recall: { reason: 'Covered elsewhere' },
    });
    await eventually(
      async () => {
        const all = await world.appointments(created.id);
        return live(all).length === 0;
      },
      { what: 'nothing is left in the calendar' },
    );
    await caseIs(created.id, 'recalled');
  });

  it('keeps somebody else out', async () => {
    const created = await world.newCase();
    const browser = openBrowser();
    const page = await logIn(browser, created.bookingUrl, { givenName: 'Ola', familyName: 'Hansen' });
    expect(page.status).toBe(403);
    expect(page.text).not.toMatch(/psyk|Kari/i);
    const answer = await browser.json('GET', `${stack.description.api}/booking/${created.id}/availability`);
    expect(answer.status).toBe(403);
    expect(answer.body.details.code).toBe('IDENTITY_MISMATCH');
  });
});

describeBreaches(() => ({ stack, world }), customerOf);

describeAttention(() => ({ stack, world }), customerOf);

describe('in an outage', () => describeOutages(() => ({ stack, world })));

/** Last: it ends what all of the above runs on. */
describe('the command itself', () => {
  it('shows progress, every address and a line that creates a case', () => {
    const said = stack.output();
    const { api, mail, phone, temporalUi, apiKey } = stack.description;
    for (const word of [
      '✓ PostgreSQL',
      '✓ worker',
      api,
      mail,
      phone,
      temporalUi,
      apiKey,
      `curl -sS ${api}/cases`,
    ]) {
      expect(said).toContain(word);
    }
  });

  it('stops at Ctrl-C, takes its description away, and goes on with the same data', async () => {
    const before = await world.newCase();
    expect(await stack.interrupt()).toBe(0);
    await expect(readFile(join(stack.directory, 'stack.json'))).rejects.toThrow('ENOENT');
    await expect(fetch(stack.description.web)).rejects.toThrow();

    stack = await startDevStack(stack.directory);
    world = worldOf(stack.description);
    const { body } = await world.call('GET', `/cases/${before.id}`);
    expect(body.partnerCaseId).toBe(before.partnerCaseId);
    await eventually(
      async () => (await world.call('POST', `/cases/${before.id}/recall`)).body.status === 'recalled',
      { what: 'the case lives on' },
    );
  });
});
