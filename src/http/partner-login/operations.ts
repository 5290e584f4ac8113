import { addDays } from '../../calendar/dates.ts';
import { type CalendarDate, instant } from '../../domain/instant.ts';
import { MAX_LIVE_KEYS } from '../../postgres/api-keys.ts';
import { MAX_LOGIN_FAILURES } from '../../postgres/login-failures.ts';
import { noInput } from '../fields.ts';
import { KEPT_REQUESTS } from '../../postgres/partner-requests.ts';
import { operationsFor } from '../operation.ts';
import {
  activateInput,
  activatedAnswer,
  keyAnswer,
  keyListAnswer,
  listRequestsInput,
  loginAnswer,
  loginInput,
  logoutAnswer,
  meAnswer,
  newKeyAnswer,
  newKeyInput,
  requestListAnswer,
  rotateInput,
  rotatedKeyAnswer,
  type KeyAnswer,
} from './schemas.ts';

const forAnybody = operationsFor('Partner login', 'anybody');
const forUsers = operationsFor('Partner login', 'access token');

const PARTNER = { id: 'fjordtrygd', name: 'Fjordtrygd Forsikring' };
const EMAIL = 'utvikler@fjordtrygd.example';
const PASSWORD = 'korrekt hest batteri stift';
const OTPAUTH_URI =
  'otpauth://totp/booking.example.com:utvikler%40fjordtrygd.example?issuer=booking.example.com&' +
  'secret=FZIZ5XMVEFH46ISNGQGSJ7DOJBGAN4D4&algorithm=SHA1&digits=6&period=30';
const anHourLater = (today: CalendarDate) => instant(`${today}T11:00:00Z`);

export const activate = forAnybody({
  id: 'activate',
  method: 'post',
  path: '/auth/activate',
  countLogin: ({ activationToken }) => String(activationToken),
  summary: 'Set a password',
  description:
    'With the one-time token that our operator gave you. The answer has the secret of your one-time codes: scan it with ' +
    'an authenticator app at once, it is shown this once. A forgotten password, or a lost app, is a new activation: ask ' +
    'the operator for one. It voids the old password and secret, and ends all sessions.',
  body: () => activateInput,
  bodyExamples: {
    activate: {
      summary: 'A token and a new password',
      value: () => ({
        activationToken: 'tb_act_6bmB4mOJb1k3u0lWcJyZ9m1cJm1x2c7m4rQ0n8s5tZk0a1b2c3',
        password: PASSWORD,
      }),
    },
  },
  answer: {
    status: 201,
    description: 'The account can log in now.',
    schema: activatedAnswer,
    examples: {
      activated: {
        summary: 'Activated',
        value: () => ({ email: EMAIL, partner: PARTNER, otpauthUri: OTPAUTH_URI }),
      },
    },
  },
  refusals: ['ACTIVATION_TOKEN_INVALID'],
});

export const login = forAnybody({
  id: 'login',
  method: 'post',
  path: '/auth/login',
  countLogin: ({ email }) => String(email).toLowerCase(),
  summary: 'Log in',
  description:
    'The access token is for managing API keys, 60 minutes long. Cases are for API keys. In production it takes a ' +
    `one-time code too. After ${MAX_LOGIN_FAILURES} failures within an hour, wherever they come from, the account is ` +
    'closed for an hour. The account’s owner gets a mail about each login from a new network.',
  body: () => loginInput,
  bodyExamples: {
    login: {
      summary: 'E-mail address and password, in the test environment',
      value: () => ({ email: EMAIL, password: PASSWORD }),
    },
    withCode: {
      summary: 'With a one-time code, as in production',
      value: () => ({ email: EMAIL, password: PASSWORD, oneTimeCode: '313424' }),
    },
  },
  answer: {
    status: 200,
    description: 'An access token.',
    schema: loginAnswer,
    examples: {
      in: {
        summary: 'Logged in',
        value: (t) => ({
          accessToken: 'tb_at_VJ0q8yV2b7K1mZr3x9TtW4uYcE5dH6fPgRsLnAoQiMk0z9y8x7',
          tokenType: 'Bearer',
          expiresAt: anHourLater(t),
        }),
      },
    },
  },
  refusals: ['INVALID_CREDENTIALS'],
});

export const logout = forUsers({
  id: 'logout',
  method: 'post',
  path: '/auth/logout',
  summary: 'Log out',
  description: 'Ends this access token. The account’s others go on until they expire.',
  body: () => noInput,
  answer: {
    status: 200,
    description: 'The access token is good no more.',
    schema: logoutAnswer,
    examples: { out: { summary: 'Logged out', value: () => ({ authenticated: false }) } },
  },
});

export const me = forUsers({
  id: 'me',
  method: 'get',
  path: '/auth/me',
  summary: 'Who is logged in',
  answer: {
    status: 200,
    description: 'The account, and the partner whose keys it manages.',
    schema: meAnswer,
    examples: {
      me: {
        summary: 'A partner’s developer',
        value: (t) => ({ email: EMAIL, partner: PARTNER, expiresAt: anHourLater(t) }),
      },
    },
  },
});

const SECRET = 'tb_test_Q3xZ1c9V7b5N3m1L9k7J5h3G1f9D7s5A3p1O9i7U5y30k2j4h6';
const at = (date: CalendarDate) => instant(`${date}T10:00:00Z`);

const keyOf = (today: CalendarDate): KeyAnswer => ({
  id: '3f1b7c52-9a51-4d0b-8b8e-6f2f6a0c9d11',
  name: 'claims system',
  hint: 'tb_test_Q3xZ',
  createdAt: at(today),
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  scopes: ['cases:read', 'cases:write'],
  allowedNetworks: null,
});

const BOUNDED = { scopes: ['cases:read'], allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'] } as const;

export const listApiKeys = forUsers({
  id: 'listApiKeys',
  method: 'get',
  path: '/auth/api-keys',
  summary: 'List your API keys',
  description: 'The live ones first, then the latest of those that ended; never the keys themselves.',
  answer: {
    status: 200,
    description: 'Up to 100 keys.',
    schema: keyListAnswer,
    examples: { one: { summary: 'One key', value: (t) => ({ data: [keyOf(t)] }) } },
  },
});

export const createApiKey = forUsers({
  id: 'createApiKey',
  method: 'post',
  path: '/auth/api-keys',
  summary: 'Create an API key',
  idempotent: 'within',
  description:
    `The answer is the only place where the key is shown; send an \`Idempotency-Key\` to get the same once more. Up to ${MAX_LIVE_KEYS} keys may be live at once. It takes the ` +
    'password of the account again, and all users of the partner get a mail.',
  body: () => newKeyInput,
  bodyExamples: {
    named: { summary: 'For one system', value: () => ({ name: 'claims system', password: PASSWORD }) },
    bounded: {
      summary: 'To read only, from your own network, for a year',
      value: (t) => ({ name: 'statistics', password: PASSWORD, ...BOUNDED, expiresAt: at(addDays(t, 365)) }),
    },
  },
  answer: {
    status: 201,
    description: 'The new key.',
    schema: newKeyAnswer,
    examples: { created: { summary: 'Created', value: (t) => ({ ...keyOf(t), apiKey: SECRET }) } },
  },
  refusals: ['INVALID_CREDENTIALS', 'API_KEY_LIMIT_REACHED'],
});

export const rotateApiKey = forUsers({
  id: 'rotateApiKey',
  method: 'post',
  path: '/auth/api-keys/{keyId}/rotate',
  summary: 'Replace an API key',
  idempotent: 'within',
  description:
    'A new key of the same name, scopes, networks and end; the old one goes on for `overlapHours`, though never longer ' +
    'than it would have. So your systems change over one by one, and nothing is refused meanwhile. Both count as live. It takes the password of the account again, ' +
    'and all users of the partner get a mail.',
  body: () => rotateInput,
  bodyExamples: {
    usual: { summary: 'A day of overlap', value: () => ({ password: PASSWORD }) },
    atOnce: { summary: 'The old key ends at once', value: () => ({ password: PASSWORD, overlapHours: 0 }) },
  },
  answer: {
    status: 201,
    description: 'The new key.',
    schema: rotatedKeyAnswer,
    examples: {
      rotated: {
        summary: 'Rotated',
        value: (t) => ({
          ...keyOf(t),
          apiKey: SECRET,
          replaces: { id: '8d3a5f0e-52f5-4b0c-9c2f-0b6a4c1d7e22', expiresAt: at(addDays(t, 1)) },
        }),
      },
    },
  },
  refusals: ['INVALID_CREDENTIALS', 'API_KEY_NOT_FOUND', 'API_KEY_ENDED', 'API_KEY_LIMIT_REACHED'],
});

export const revokeApiKey = forUsers({
  id: 'revokeApiKey',
  method: 'delete',
  path: '/auth/api-keys/{keyId}',
  summary: 'Revoke an API key',
  description: 'It ends at once. Revoking a revoked key changes nothing.',
  answer: {
    status: 200,
    description: 'The key, revoked.',
    schema: keyAnswer,
    examples: { revoked: { summary: 'Revoked', value: (t) => ({ ...keyOf(t), revokedAt: at(t) }) } },
  },
  refusals: ['API_KEY_NOT_FOUND'],
});

export const listRequests = forUsers({
  id: 'listRequests',
  method: 'get',
  path: '/auth/requests',
  summary: 'List your last calls',
  description:
    `The last ${KEPT_REQUESTS} calls with your keys and by your users, the newest first: which route, how it was answered, ` +
    'with which key. Calls that no key or login of yours was known in are not among them. A call is listed within seconds.',
  query: () => listRequestsInput,
  answer: {
    status: 200,
    description: 'A page of calls.',
    schema: requestListAnswer,
    examples: {
      one: {
        summary: 'One call',
        value: (today) => ({
          data: [
            {
              ...{ at: at(today), method: 'POST', route: '/cases/{caseId}/recall', status: 200 },
              requestId: 'c7a1f0de-3b62-4f0e-9a51-0d6c5b8e2f43',
              correlationId: 'claim-4711',
              apiKeyId: keyOf(today).id,
              userId: null,
            },
          ],
          nextCursor: null,
        }),
      },
    },
  },
});
