import type { ZodOpenApiHeaderObject, ZodOpenApiSecuritySchemeObject } from 'zod-openapi';
import type { Access } from '../operation.ts';

type HeaderName =
  | 'X-Request-Id'
  | 'X-Correlation-ID'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'Retry-After'
  | 'WWW-Authenticate'
  | 'Location'
  | 'Idempotent-Replayed';

/** The headers of answers, as components: each response names those that it has. */
export const HEADER_COMPONENTS: Readonly<Record<HeaderName, ZodOpenApiHeaderObject>> = {
  'X-Request-Id': {
    description: 'By this id we find the request in our log. Keep it; quote it when you report a problem.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-Correlation-ID': {
    // a parameter of no call: each method of a generated client would take it, before its body
    description:
      'As you sent it, where you did: what you call the request in your own logs, up to 100 letters, digits and ' +
      '`. _ : / -`. It stands in `GET /auth/requests`.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left: `r` requests for the next `t` seconds.',
    schema: { type: 'string' },
    example: '"authenticated"; r=497; t=42',
  },
  'RateLimit-Policy': {
    description: 'The limit that counts here: `q` requests in `w` seconds.',
    schema: { type: 'string' },
    example: '"authenticated"; q=500; w=60; pk=:YWJjZGVmZ2hpams=:',
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again. Without it, trying again does not help.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'How to show who you are: `ApiKey` in the header `X-API-Key`, `Bearer`, or by the `eID`.',
    required: true,
    schema: { type: 'string' },
    example: 'ApiKey',
  },
  Location: {
    description: 'The address of what was made.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Idempotent-Replayed': {
    description: '`true`: this is the first request’s answer again; nothing more was done.',
    schema: { type: 'string', enum: ['true'] },
  },
};

const ref = (...names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const HEADERS = {
  always: ref('X-Request-Id', 'X-Correlation-ID', 'RateLimit', 'RateLimit-Policy'),
  retryAfter: ref('Retry-After'),
  challenge: ref('WWW-Authenticate'),
  location: ref('Location'),
  idempotent: ref('Idempotent-Replayed'),
};

type Scheme = 'apiKey' | 'accessToken' | 'customerSession';

export const securitySchemes = (
  sessionCookie: string,
): Readonly<Record<Scheme, ZodOpenApiSecuritySchemeObject>> => ({
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'One of your API keys: `tb_test_…` in the test environment, `tb_live_…` in production.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `accessToken` of `POST /auth/login`, for managing API keys.',
  },
  customerSession: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description: 'The customer’s session, which the browser gets by the eID login.',
  },
});

/** What each access needs, for machines and in words. */
export const ACCESS: Readonly<
  Record<Access, { readonly security: readonly Partial<Record<Scheme, []>>[]; readonly words: string }>
> = {
  'api key': { security: [{ apiKey: [] }], words: 'with your API key' },
  'access token': { security: [{ accessToken: [] }], words: 'for your users, with an access token' },
  customer: {
    security: [{ customerSession: [] }],
    words: 'for the customer’s browser, after the eID login',
  },
  anybody: { security: [], words: 'for anybody, without a key' },
};
