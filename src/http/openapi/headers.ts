import type { ZodOpenApiHeaderObject } from 'zod-openapi';

type HeaderName =
  'X-Request-Id' | 'RateLimit' | 'RateLimit-Policy' | 'Retry-After' | 'Location' | 'Idempotent-Replayed';

/** The headers of answers, as components: each response names those that it has. */
export const HEADER_COMPONENTS: Readonly<Record<HeaderName, ZodOpenApiHeaderObject>> = {
  'X-Request-Id': {
    description: 'By this id we find the request in our log. Keep it; quote it when you report a problem.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
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
  always: ref('X-Request-Id', 'RateLimit', 'RateLimit-Policy'),
  retryAfter: ref('Retry-After'),
  location: ref('Location'),
  idempotent: ref('Idempotent-Replayed'),
};
