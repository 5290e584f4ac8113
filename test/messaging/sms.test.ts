import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { instant } from '../../src/domain/instant.ts';
import { AddressRefused } from '../../src/messaging/failures.ts';
import { createSms } from '../../src/messaging/sms.ts';
import { numberFaultOf } from '../../src/messaging/twilio-reports.ts';
import { composeSms, isOneSegment } from '../../src/messaging/texts/sms.ts';
import type { MessageFacts } from '../../src/messaging/texts/wording.ts';
import { EACH, LONG, LONGEST, situationsOf, USUAL } from './messages.ts';

const SID = `AC${'0'.repeat(32)}`;
const account = { accountSid: SID, authToken: 'token', sender: { from: 'Booking' } };
const MESSAGE = {
  to: '+4790012345',
  body: 'Bestill time på nett',
  dedupId: 'case-1:invitation:sms:1',
  statusCallback: null,
};

let server: Server | null = null;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

/** A server that speaks as much of Twilio's Messages API as one answer. */
async function twilioAnswering(status: number, answer: object | string) {
  const asked: { path: string; auth: string; form: URLSearchParams }[] = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      asked.push({ path: request.url ?? '', auth: request.headers.authorization ?? '', form });
      response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { asked, baseUrl: `http://127.0.0.1:${port}/` };
}

const failureOf = (sending: Promise<unknown>): Promise<unknown> => sending.catch((error: unknown) => error);

describe('an SMS', () => {
  it('goes to Twilio with our sender', async () => {
    const { asked, baseUrl } = await twilioAnswering(201, { sid: 'SM1', status: 'queued' });
    const sms = createSms({ ...account, baseUrl });
    expect(await sms.send(MESSAGE)).toEqual({ reference: 'SM1' });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.path).toBe(`/2010-04-01/Accounts/${SID}/Messages.json`);
    expect(asked[0]?.auth).toBe(`Basic ${Buffer.from(`${SID}:token`).toString('base64')}`);
    expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
      To: '+4790012345',
      From: 'Booking',
      Body: 'Bestill time på nett',
    });
  });

  it('goes out by a messaging service, when so set up', async () => {
    const { asked, baseUrl } = await twilioAnswering(201, { sid: 'SM1' });
    await createSms({ ...account, sender: { messagingServiceSid: 'MG1' }, baseUrl }).send(MESSAGE);
    expect(asked[0]?.form.get('MessagingServiceSid')).toBe('MG1');
    expect(asked[0]?.form.has('From')).toBe(false);
  });

  it('asks for a delivery receipt where Twilio can reach us', async () => {
    const { asked, baseUrl } = await twilioAnswering(201, { sid: 'SM1' });
    const statusCallback = 'https://book.example.no/twilio/status?message=1';
    await createSms({ ...account, baseUrl }).send({ ...MESSAGE, statusCallback });
    expect(asked[0]?.form.get('StatusCallback')).toBe(statusCallback);
  });

  it.each([
    [21211, 'invalid_address'],
    [21214, 'unreachable'],
    [21217, 'invalid_address'],
    [21265, 'invalid_address'],
    [21407, 'no_sms'],
    [21610, 'opted_out'],
    [21612, 'unreachable'],
    [21614, 'no_sms'],
    [21635, 'no_sms'],
  ])('is refused for good when the number is at fault: %i', async (code, fault) => {
    const { baseUrl } = await twilioAnswering(400, {
      code,
      message: `The number ${MESSAGE.to}`,
      status: 400,
    });
    const failure = await failureOf(createSms({ ...account, baseUrl }).send(MESSAGE));
    expect(failure).toBeInstanceOf(AddressRefused);
    expect(failure).toMatchObject({ code: fault });
  });

  it.each([
    [401, { code: 20003, message: 'Authenticate' }, 'twilio_20003'],
    [429, { code: 20429, message: 'Too many requests' }, 'twilio_20429'],
    [400, { code: 21606, message: 'From is not ours' }, 'twilio_21606'],
    [403, { code: 21408, message: 'Region not enabled' }, 'twilio_21408'],
    [503, { message: 'away' }, 'twilio_http_503'],
    [502, '<html>Bad gateway</html>', 'twilio_http_502'],
  ])('is tried again after an answer %i %j', async (status, answer, code) => {
    const { baseUrl } = await twilioAnswering(status, answer);
    const failure = await failureOf(createSms({ ...account, baseUrl }).send(MESSAGE));
    expect(failure).toMatchObject({ name: 'DeliveryUnavailable', code });
  });

  it('is tried again when nobody answers', async () => {
    const failure = await failureOf(createSms({ ...account, baseUrl: 'http://127.0.0.1:1' }).send(MESSAGE));
    expect(failure).toMatchObject({ name: 'DeliveryUnavailable', code: 'ECONNREFUSED' });
  });

  it('never tells the number or the text in a failure', async () => {
    const { baseUrl } = await twilioAnswering(400, { code: 21211, message: `${MESSAGE.to} is not valid` });
    const failures = [
      await failureOf(createSms({ ...account, baseUrl }).send(MESSAGE)),
      await failureOf(createSms({ ...account, baseUrl: 'http://127.0.0.1:1' }).send(MESSAGE)),
    ];
    for (const failure of failures) {
      expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toMatch(
        /90012345|Bestill|token/,
      );
      expect(failure).not.toHaveProperty('cause');
    }
  });
});

describe('a delivery receipt', () => {
  it.each([
    [30003, 'unreachable'],
    [30004, 'blocked'],
    [30005, 'address_refused'],
    [30006, 'no_sms'],
  ])('condemns the number with %i', (code, fault) => expect(numberFaultOf(code)).toBe(fault));
  it.each([30001, 30007, 30008, 30022])('does not with %i', (code) => expect(numberFaultOf(code)).toBeNull());
});

/** How many septets, where it is one segment of the 7-bit alphabet; else what it is. */
function septets(body: string): number | string {
  const { encodingName, segmentsCount, messageSize } = new SegmentedMessage(body);
  return encodingName === 'GSM-7' && segmentsCount === 1
    ? messageSize / 7
    : `${segmentsCount} segments of ${encodingName}`;
}

const isOneGsmSegment = (body: string) => {
  const size = septets(body);
  return typeof size === 'number' && size <= 160;
};

describe.each(EACH)('the SMS %s in %s', (kind, language) => {
  it.each([
    ['usual facts', USUAL],
    ['long facts', LONG],
    ['the longest facts there may be', LONGEST],
    ['a name outside the alphabet', { ...LONG, partnerName: 'Łódź „Életbiztosító” – Čačak' }],
    ['a name of which nothing is in the alphabet', { ...LONG, partnerName: '保険会社' }],
    ['signs that count twice', { ...LONGEST, partnerName: '[Forsikring] {€~^|}' }],
  ])('is one segment of the 7-bit alphabet with %s', (_, usual) => {
    for (const facts of situationsOf(kind, usual)) {
      const body = composeSms(kind, facts, language);
      expect([body, isOneGsmSegment(body)]).toEqual([body, true]);
      expect(body).toContain(facts.bookingUrl);
    }
  });

  it('says who it is from, whom to call, and the time, in any situation', () => {
    for (const facts of situationsOf(kind)) {
      const body = composeSms(kind, facts, language);
      expect(body).toMatch(/^Fremtind: /);
      expect(body).toMatch(/(Hjelp|Help): \+4722123456$/);
    }
  });

  it('says so with a long name and a long address, too', () => {
    const body = composeSms(kind, LONG, language);
    expect(body).toMatch(/^Gjensidig/);
    expect(body).toContain('+4722123456');
    const saysWhen = composeSms(kind, USUAL, language).includes('14');
    if (saysWhen) expect(body).toMatch(/24\.? sep\D* 14[.:]30/i);
  });
});

describe('what counts as one segment', () => {
  it('is what Twilio’s own calculator says', () => {
    const letters = fc.constantFrom(...'aZ0 æøåÅ@$^{}[]~|€\\Ωàčł–’"保'.split(''));
    fc.assert(
      fc.property(fc.string({ unit: letters, minLength: 1, maxLength: 170 }), (text) => {
        expect(isOneSegment(text)).toBe(isOneGsmSegment(text));
        expect(isOneSegment('a'.repeat(150) + text)).toBe(isOneGsmSegment('a'.repeat(150) + text));
      }),
    );
  });
});

describe('an SMS', () => {
  it('fits one segment for any name and any day', () => {
    const day = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-12-31'), noInvalidDate: true });
    const partnerName = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
    const daysLeft = fc.integer({ min: -2, max: 365 });
    fc.assert(
      fc.property(
        fc.constantFrom(...EACH),
        partnerName,
        day,
        daysLeft,
        ([kind, language], name, start, left) => {
          const appointment = { start: instant(start), end: instant(start) };
          const facts: MessageFacts = { ...LONGEST, partnerName: name, appointment, daysLeft: left };
          const body = composeSms(kind, facts, language);
          return isOneGsmSegment(body) && body.includes(LONGEST.bookingUrl);
        },
      ),
    );
  });

  it('leaves out pleasant words and the end of the insurer’s name, and the telephone last', () => {
    expect(composeSms('receipt', USUAL, 'nb')).toBe(
      `Fremtind: Du har time torsdag 24. september kl. 14.30. Se, endre eller avlys: ${USUAL.bookingUrl} Hjelp: +4722123456`,
    );
    expect(composeSms('receipt', LONG, 'nb')).toBe(
      `Gjensidige: Time torsdag 24. september kl. 14.30: ${LONG.bookingUrl} Hjelp: +4722123456`,
    );
    expect(composeSms('receipt', LONGEST, 'nb')).toBe(
      `Livsforsikr.: Du har time torsdag 24. september kl. 14.30: ${LONGEST.bookingUrl}`,
    );
  });

  it('writes a name outside the alphabet as one would say it', () => {
    const named = (partnerName: string) =>
      composeSms('invitation', { ...USUAL, partnerName }, 'nb').split(':')[0];
    expect(named('Životní pojišťovna')).toBe('Zivotni pojistovna');
    expect(named('Łódź')).toBe('Lodz');
    expect(named('Þór – “Trygging”')).toBe('Thor - "Trygging"');
    expect(named('Ærlig Øst Ås')).toBe('Ærlig Øst Ås');
  });
});
