import { describe, expect, it } from '@jest/globals';
import { operatorApiSettings, readSettings } from '../../src/config/settings.ts';

const RANDOM = '9f1c4be2a7d05836e41f7a90c3b8d265';
const SETTINGS = {
  ENVIRONMENT: 'production',
  OPERATOR_DATABASE_URL: 'postgresql://booking:secret@localhost:5432/booking',
  PUBLIC_URL: 'https://booking.example',
  MASTER_KEYS: `test:${'A'.repeat(43)}=`,
  TEMPORAL_ADDRESS: 'localhost:7233',
  TEMPORAL_PAYLOAD_KEYS: 'off',
  OPERATOR_API_URL: 'https://operators.booking.example/',
  OPERATOR_SESSION_SECRETS: RANDOM,
  OPERATOR_OIDC_ISSUER: 'https://login.house.example/realms/house',
  OPERATOR_OIDC_AUDIENCE: 'booking-operators',
  OPERATOR_OIDC_CLIENT_ID: 'booking-back-office',
  OPERATOR_OIDC_CLIENT_SECRET: 'a client secret',
  OPERATOR_OIDC_CLI_CLIENT_ID: 'booking-command-line',
};
const read = (settings: Record<string, string>) =>
  readSettings(operatorApiSettings, { ...SETTINGS, ...settings });

describe('the settings of operators’ login', () => {
  it('take roles as they are called here, or by what they are called there', () => {
    expect(Object.fromEntries(read({}).OPERATOR_OIDC_ROLES)).toMatchObject({ support: 'support' });
    const roles = 'support=Booking support, support=5b0f4e0a, auditor=booking-auditor';
    expect(Object.fromEntries(read({ OPERATOR_OIDC_ROLES: roles }).OPERATOR_OIDC_ROLES)).toEqual({
      ...{ 'Booking support': 'support', '5b0f4e0a': 'support', 'booking-auditor': 'auditor' },
    });
  });

  it.each([
    ['OPERATOR_OIDC_ROLES', 'suport=booking-support'],
    ['OPERATOR_OIDC_ROLES', 'support='],
    ['OPERATOR_OIDC_ROLES', 'support=all, reveal=all'],
    ['OPERATOR_OIDC_AUDIENCE', 'booking-back-office'],
    ['OPERATOR_OIDC_AUDIENCE', 'booking-command-line'],
    ['OPERATOR_OIDC_AUDIENCE', ''],
    ['OPERATOR_OIDC_SCOPE', 'profile'],
    ['OPERATOR_OIDC_ISSUER', 'http://login.house.example'],
    ['OPERATOR_OIDC_ISSUER', 'http://127.0.0.1:4001'],
    ['OPERATOR_API_URL', 'http://operators.booking.example'],
    ['OPERATOR_SESSION_SECRETS', 'a'.repeat(32)],
    ['OPERATOR_OIDC_CLIENT_SECRET', RANDOM],
  ])('refuse %s when it is %j', (variable, value) => {
    const named = variable === 'OPERATOR_OIDC_CLIENT_SECRET' ? 'OPERATOR_SESSION_SECRETS' : variable;
    expect(() => read({ [variable]: value })).toThrow(`${named}: `);
  });

  it('let operators reach the operator API on their own machine, as through a tunnel', () => {
    expect(read({ OPERATOR_API_URL: 'http://localhost:3002' }).OPERATOR_API_URL).toBe(
      'http://localhost:3002',
    );
  });
});
