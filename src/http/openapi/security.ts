import type { ZodOpenApiSecuritySchemeObject } from 'zod-openapi';
import type { Access } from '../operation.ts';

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
