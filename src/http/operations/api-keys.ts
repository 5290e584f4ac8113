import { datePlus } from '../../calendar/dates.ts';
import { instant, type CalendarDate } from '../../domain/instant.ts';
import { MAX_LIVE_KEYS } from '../../postgres/partner-keys.ts';
import { keyAnswer, keyListAnswer, newKeyAnswer, rotatedKeyAnswer, type KeyAnswer } from '../answers/auth.ts';
import { newKeyInput, rotateInput } from '../inputs/auth.ts';
import { operation } from '../operation.ts';

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
});

export const listApiKeys = operation({
  id: 'listApiKeys',
  method: 'get',
  path: '/auth/api-keys',
  tag: 'Partner login',
  access: 'access token',
  summary: 'List your API keys',
  description: 'The live ones first, then the latest of those that ended; never the keys themselves.',
  answer: {
    status: 200,
    description: 'Up to 100 keys.',
    schema: keyListAnswer,
    examples: { one: { summary: 'One key', value: (t) => ({ data: [keyOf(t)] }) } },
  },
});

export const createApiKey = operation({
  id: 'createApiKey',
  method: 'post',
  path: '/auth/api-keys',
  tag: 'Partner login',
  access: 'access token',
  summary: 'Create an API key',
  description: `The answer is the only place where the key is shown. Up to ${MAX_LIVE_KEYS} keys may be live at once.`,
  body: () => newKeyInput,
  bodyExamples: { named: { summary: 'For one system', value: () => ({ name: 'claims system' }) } },
  answer: {
    status: 201,
    description: 'The new key.',
    schema: newKeyAnswer,
    examples: { created: { summary: 'Created', value: (t) => ({ ...keyOf(t), apiKey: SECRET }) } },
  },
  refusals: ['API_KEY_LIMIT_REACHED'],
});

export const rotateApiKey = operation({
  id: 'rotateApiKey',
  method: 'post',
  path: '/auth/api-keys/{keyId}/rotate',
  tag: 'Partner login',
  access: 'access token',
  summary: 'Replace an API key',
  description:
    'A new key of the same name; the old one goes on for `overlapHours`, though never longer than it would have. So ' +
    'your systems change over one by one, and nothing is refused meanwhile. Both count as live.',
  body: () => rotateInput,
  bodyExamples: {
    usual: { summary: 'A day of overlap', value: () => ({}) },
    atOnce: { summary: 'The old key ends at once', value: () => ({ overlapHours: 0 }) },
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
          replaces: { id: '8d3a5f0e-52f5-4b0c-9c2f-0b6a4c1d7e22', expiresAt: at(datePlus(t, 1)) },
        }),
      },
    },
  },
  refusals: ['API_KEY_NOT_FOUND', 'API_KEY_ENDED', 'API_KEY_LIMIT_REACHED'],
});

export const revokeApiKey = operation({
  id: 'revokeApiKey',
  method: 'delete',
  path: '/auth/api-keys/{keyId}',
  tag: 'Partner login',
  access: 'access token',
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
