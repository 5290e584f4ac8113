import { describe, expect, it } from '@jest/globals';
import {
  apiSettings,
  credential,
  readSettings,
  SettingsError,
  VARIABLES,
  workerSettings,
} from '../src/config.ts';

const SECRET = 'a'.repeat(32);
const COMMON = {
  DATABASE_URL: 'postgresql://user:hunter2@localhost/cases',
  ENVIRONMENT: 'test',
  PUBLIC_URL: 'https://timebestilling.example/',
  TEMPORAL_ADDRESS: 'localhost:7233',
  SUPPORT_EMAIL: 'hjelp@timebestilling.example',
  SUPPORT_PHONE: '+47 21 00 00 00',
};
const API = {
  ...COMMON,
  SESSION_SECRETS: SECRET,
  IDENTITY_SECRET: SECRET,
  EID_ISSUER: 'https://eid.example',
  EID_CLIENT_ID: 'booking',
  EID_CLIENT_SECRET: 'hush',
};
const WORKER = {
  ...COMMON,
  SMTP_URL: 'smtp://localhost:25',
  MAIL_FROM: 'Timebestilling <post@timebestilling.example>',
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'hush',
  TWILIO_FROM: '+4759440000',
};

/** The lines of the complaint. */
function faultsOf(environment: Record<string, string | undefined>): string[] {
  try {
    readSettings(apiSettings, environment);
  } catch (error) {
    if (error instanceof SettingsError)
      return error.message
        .split('\n')
        .slice(1)
        .map((line) => line.trim());
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('are read with their defaults', () => {
    expect(readSettings(apiSettings, API)).toMatchObject({
      PUBLIC_URL: 'https://timebestilling.example',
      PORT: 3000,
      TEMPORAL_NAMESPACE: 'default',
      TRUST_PROXY: 0,
      ARCHIVE_AFTER_DAYS: 30,
      SESSION_SECRETS: [SECRET],
    });
    expect(readSettings(workerSettings, WORKER)).toMatchObject({ WORKER_HEALTH_PORT: 3001 });
  });

  it('are all named at once when they are missing, and only then', () => {
    expect(faultsOf({}).sort()).toEqual(
      Object.keys(API)
        .map((variable) => `${variable}: is missing`)
        .sort(),
    );
    expect(faultsOf(API)).toEqual([]);
  });

  it('are named when they are wrong, without a word of what they hold', () => {
    const wrong = {
      DATABASE_URL: 'mysql://user:hunter2@localhost',
      ENVIRONMENT: 'staging',
      PUBLIC_URL: 'ftp://hunter2',
      SUPPORT_EMAIL: 'hunter2',
      PORT: 'hunter2',
      SESSION_SECRETS: `${SECRET},hunter2`,
      IDENTITY_SECRET: 'hunter2',
      TRUST_PROXY: 'true',
      ARCHIVE_AFTER_DAYS: '0',
      LOG_LEVEL: 'hunter2',
    };
    const faults = faultsOf({ ...API, ...wrong });
    expect(faults.map((line) => line.split(':')[0]).sort()).toEqual(Object.keys(wrong).sort());
    expect(faults.join()).not.toContain('hunter2');
  });

  it('take several secrets while one replaces another, and proxies by number or address', () => {
    const next = 'b'.repeat(32);
    const settings = readSettings(apiSettings, {
      ...API,
      SESSION_SECRETS: `${next},${SECRET}`,
      TRUST_PROXY: '10.0.0.0/8, loopback',
    });
    expect(settings.SESSION_SECRETS).toEqual([next, SECRET]);
    expect(settings.TRUST_PROXY).toEqual(['10.0.0.0/8', 'loopback']);
  });

  it('that are left empty are as good as left out, where they may be', () => {
    expect(readSettings(apiSettings, { ...API, TEMPORAL_API_KEY: '', EID_ACR_VALUES: '' })).toMatchObject({});
    expect(faultsOf({ ...API, EID_CLIENT_SECRET: '' })).toEqual([
      expect.stringMatching(/^EID_CLIENT_SECRET: /),
    ]);
  });

  it('are all listed for whoever writes deployments', () => {
    expect(VARIABLES).toEqual(expect.arrayContaining([...Object.keys(API), ...Object.keys(WORKER)]));
    expect(VARIABLES).toEqual([...new Set(VARIABLES)].sort());
  });

  it('hold a provider’s credential under the name that its registration gives', () => {
    expect(credential('CLINIC_TOKEN', { CLINIC_TOKEN: 'hush' })).toBe('hush');
    expect(credential('CLINIC_TOKEN', {})).toBeNull();
    expect(credential(null, {})).toBeNull();
  });
});
