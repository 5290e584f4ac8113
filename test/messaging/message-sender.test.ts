import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { type RunningPhone, startPhone } from '../../dev/phone/server.ts';
import { pickPort } from '../../dev/ports.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import {
  createMessageSender,
  type OutgoingMessage,
  type Recipient,
} from '../../src/messaging/message-sender.ts';
import { createSms } from '../../src/messaging/sms.ts';
import { TWILIO } from '../support/service-settings.ts';
import { createMailServers, type MailServer } from './mail-server.ts';
import { USUAL } from './messages.ts';

const CASE_ID = '6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d' as CaseId;
const { partnerName, bookingDeadline, daysLeft, appointment } = USUAL;
const CUSTOMER: Recipient = {
  ...{ partnerName, bookingDeadline, daysLeft, appointment },
  email: 'kari@example.no',
  phone: '+4790012345',
  language: 'nb',
  statusCallback: null,
};

const servers = createMailServers();
let directory: string;
let mailServer: MailServer;
let phone: RunningPhone;
let post: ReturnType<typeof createMessageSender>;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'treatment-booking-post-'));
  mailServer = await servers.start();
  const { port } = await pickPort();
  phone = await startPhone({
    ...TWILIO,
    port,
    file: join(directory, 'phone.json'),
    log: (line) => {
      throw new Error(line);
    },
  });
  post = createMessageSender({
    mail: servers.clientOf(mailServer.smtpUrl),
    sms: createSms({ ...TWILIO, sender: { from: 'Fremtind' }, baseUrl: phone.url }),
    senderEmail: 'post@book.example.no',
    publicUrl: 'https://book.example.no',
    supportEmail: USUAL.supportEmail,
    supportPhone: USUAL.supportPhone,
  });
});
afterEach(async () => {
  await phone.stop();
  await servers.end();
  await rm(directory, { recursive: true, force: true });
});

const send = (message: Partial<OutgoingMessage>, to: Partial<Recipient> = {}) => {
  const posting: OutgoingMessage = {
    caseId: CASE_ID,
    kind: 'invitation',
    channel: 'email',
    sequence: 1,
    ...message,
  };
  const dedupId = [CASE_ID, posting.kind, posting.channel, posting.sequence].join(':');
  return post(posting, dedupId, { ...CUSTOMER, ...to });
};

/** The calendar entry that the mail carries. */
function entryIn(mail: string | undefined): { method: string; event: ICAL.Event } {
  const [, method = '', body = ''] =
    /Content-Type: text\/calendar; charset=utf-8; method=(\w+)\r\n(?:[\w-]+: [^\r]*\r\n)*\r\n([\s\S]*?)\r\n--/.exec(
      mail ?? '',
    ) ?? [];
  const readable = body.startsWith('BEGIN:VCALENDAR')
    ? body
        .replaceAll('=\r\n', '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : Buffer.from(body, 'base64').toString();
  const calendar = new ICAL.Component(ICAL.parse(readable) as unknown[]);
  const vevent = calendar.getFirstSubcomponent('vevent');
  if (vevent === null) throw new Error('no event');
  return { method, event: new ICAL.Event(vevent) };
}

describe('a message', () => {
  it('goes by mail to the customer’s address, with the case’s link', async () => {
    await send({});
    expect(mailServer.received).toHaveLength(1);
    expect(mailServer.received[0]).toContain('To: kari@example.no');
    expect(mailServer.received[0]?.replaceAll('=\r\n', '')).toContain(`https://book.example.no/b/${CASE_ID}`);
    expect(mailServer.received[0]).not.toContain('text/calendar');
    expect(mailServer.received[0]).toContain('From: Fremtind via Timebestilling <post@book.example.no>');
  });

  it('goes by SMS to the customer’s number, in bokmål', async () => {
    const { reference } = await send({ channel: 'sms' });
    const inbox = (await (await fetch(`${phone.url}/messages`)).json()) as unknown[];
    expect(inbox).toMatchObject([
      {
        sid: reference,
        to: '+4790012345',
        from: 'Fremtind',
        body: expect.stringMatching(/^Fremtind: .*Siste dag/),
      },
    ]);
  });

  it('is in English, on both channels, for who chose that', async () => {
    await send({ channel: 'sms' }, { language: 'en' });
    await send({ kind: 'receipt', sequence: 2 }, { language: 'en' });
    const inbox = (await (await fetch(`${phone.url}/messages`)).json()) as unknown[];
    expect(inbox).toMatchObject([{ body: expect.stringMatching(/^Fremtind: You can now book/) }]);
    expect(mailServer.received[0]).toContain('Subject: Fremtind: your appointment is booked');
    expect(entryIn(mailServer.received[0]).event.summary).toBe('Appointment (Fremtind)');
  });

  it.each(['+4700000001', '+4700000002', '+4700000006'])(
    'is refused for good by the number %s',
    async (number) => {
      await expect(send({ channel: 'sms' }, { phone: number })).rejects.toMatchObject({
        name: 'AddressRefused',
      });
    },
  );

  it.each(['+4700000003', '+4700000004'])('is tried again with the number %s', async (number) => {
    await expect(send({ channel: 'sms' }, { phone: number })).rejects.toMatchObject({
      name: 'DeliveryUnavailable',
    });
  });
});

describe('the calendar of a customer', () => {
  it('gets one entry for the case, which moves, goes and comes again', async () => {
    const later = {
      start: '2026-09-25T12:30:00.000Z',
      end: '2026-09-25T13:15:00.000Z',
    } as Recipient['appointment'];
    await send({ kind: 'receipt', sequence: 2 });
    await send({ kind: 'changed', sequence: 3 }, { appointment: later });
    await send({ kind: 'cancelled', sequence: 4 }, { appointment: later });
    await send({ kind: 'receipt', sequence: 5 });
    const entries = mailServer.received.map(entryIn);
    expect(entries.map(({ method }) => method)).toEqual(['REQUEST', 'REQUEST', 'CANCEL', 'REQUEST']);
    expect(entries.map(({ event }) => event.uid)).toEqual(Array(4).fill(CASE_ID));
    expect(entries.map(({ event }) => event.sequence)).toEqual([2, 3, 4, 5]);
    expect(entries.map(({ event }) => event.startDate.toJSDate().toISOString())).toEqual([
      '2026-09-24T12:30:00.000Z',
      '2026-09-25T12:30:00.000Z',
      '2026-09-25T12:30:00.000Z',
      '2026-09-24T12:30:00.000Z',
    ]);
  });

  it('gets the same entry again when the same message is sent again', async () => {
    await send({ kind: 'receipt', sequence: 2 });
    await send({ kind: 'receipt', sequence: 2 });
    const [first, second] = mailServer.received.map(entryIn);
    expect(second?.event.uid).toBe(first?.event.uid);
    expect(second?.event.sequence).toBe(first?.event.sequence);
  });
});
