import { describe, expect, it } from '@jest/globals';
import { isTlsRequired } from '../../src/config/messaging.ts';
import { readSettings, SettingsError, workerSettings } from '../../src/config/settings.ts';

const WORKER = {
  DATABASE_URL: 'postgresql://user:hunter2@localhost/cases',
  ENVIRONMENT: 'production',
  PUBLIC_URL: 'https://timebestilling.example',
  TEMPORAL_ADDRESS: 'localhost:7233',
  MASTER_KEYS: `test:${'A'.repeat(43)}=`,
  TEMPORAL_PAYLOAD_KEYS: 'off',
  SUPPORT_EMAIL: 'hjelp@timebestilling.example',
  SUPPORT_PHONE: '+47 21 00 00 00',
  SMTP_URL: 'smtp://localhost:25',
  MAIL_FROM: 'Timebestilling <post@timebestilling.example>',
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'hush',
  TWILIO_FROM: '+4759440000',
};
const SERVICE = `MG${'0a'.repeat(16)}`;

const read = (changed: Record<string, string>) => readSettings(workerSettings, { ...WORKER, ...changed });

/** The complaint, or that there is none. */
function faultOf(changed: Record<string, string>): string {
  try {
    read(changed);
    return 'none';
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
}

describe('whom messages are from', () => {
  it.each([
    ['Timebestilling <post@a.example>', { name: 'Timebestilling', address: 'post@a.example' }],
    ['"Time, bestilt" <post@a.example>', { name: 'Time, bestilt', address: 'post@a.example' }],
    ['post@a.example', { name: '', address: 'post@a.example' }],
    ['<post@a.example>', { name: '', address: 'post@a.example' }],
  ])('is read from MAIL_FROM %s', (text, from) => {
    expect(read({ MAIL_FROM: text }).MAIL_FROM).toEqual(from);
  });

  it.each([
    ['+4759440000', { from: '+4759440000' }],
    ['Fjordtrygd', { from: 'Fjordtrygd' }],
    ['My Insurer1', { from: 'My Insurer1' }],
    [SERVICE, { messagingServiceSid: SERVICE }],
  ])('is read from TWILIO_FROM %s, in the words of Twilio', (text, from) => {
    expect(read({ TWILIO_FROM: text }).TWILIO_FROM).toEqual(from);
  });

  it('gets no answers itself, unless a setting says so', () => {
    expect(read({}).MAIL_REPLY_TO).toBeUndefined();
    expect(read({ MAIL_REPLY_TO: '' }).MAIL_REPLY_TO).toBeUndefined();
    expect(read({ MAIL_REPLY_TO: 'svar@a.example' }).MAIL_REPLY_TO).toBe('svar@a.example');
  });
});

describe('a setting is refused by name, and without its value,', () => {
  it.each([
    ['MAIL_FROM', 'hunter2'],
    ['MAIL_FROM', 'Name <hunter2>'],
    ['MAIL_FROM', 'Name post@hunter2.example'],
    ['MAIL_FROM', 'A <a@hunter2.example>, B <b@hunter2.example>'],
    ['MAIL_FROM', 'A\r\nBcc: b@hunter2.example <a@hunter2.example>'],
    ['MAIL_FROM', ''],
    ['MAIL_REPLY_TO', 'hunter2'],
    ['OPERATOR_EMAIL', 'hunter2'],
    ['TEMPORAL_UI_URL', 'hunter2:8080'],
    ['SMTP_URL', 'http://hunter2'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://mail.example?tls.rejectUnauthorized=hunter2'],
    ['SMTP_TLS', 'hunter2'],
    ['TWILIO_FROM', '59440000'],
    ['TWILIO_FROM', 'TwelveLetter'],
    ['TWILIO_FROM', 'Hunter-2'],
    ['TWILIO_FROM', SERVICE.slice(0, -1)],
    ['TWILIO_FROM', ''],
    ['PUBLIC_URL', `https://${'hunter2.'.repeat(6)}example/b`],
    ['SUPPORT_PHONE', 'hunter2'],
    ['SUPPORT_PHONE', '+47 21 00 00 00 / 22 00 00 00'],
  ])('%s as %j', (variable, text) => {
    const fault = faultOf({ [variable]: text });
    expect(fault).toMatch(new RegExp(`^The settings are wrong:\n  ${variable}: .+$`));
    expect(fault).not.toContain('hunter2');
  });
});

describe('the mail server has to offer TLS', () => {
  it('in production, whatever somebody decided', () => {
    expect(isTlsRequired(read({}))).toBe(true);
    expect(isTlsRequired(read({ SMTP_TLS: '' }))).toBe(true);
    expect(faultOf({ SMTP_TLS: 'offered' })).toContain('SMTP_TLS: must be required');
  });

  it('in a test environment only when somebody decided so', () => {
    expect(isTlsRequired(read({ ENVIRONMENT: 'test' }))).toBe(false);
    expect(isTlsRequired(read({ ENVIRONMENT: 'test', SMTP_TLS: 'required' }))).toBe(true);
  });
});
