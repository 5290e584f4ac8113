import { z } from 'zod';
import type { ProviderConnection } from '../providers/auth/connection.ts';
import type { ProviderSettings } from '../providers/port.ts';

const text = z.string().min(1).max(500);
const longText = z.string().min(1).max(1_000).optional();
/**
 * The name of an environment variable with a credential of a provider's. None of our own settings begins like this: their
 * values are sent to no clinic, whatever is registered.
 */
const variable = z
  .string()
  .regex(
    /^PROVIDER_[A-Z0-9_]+$/,
    'must be the NAME of an environment variable that begins with PROVIDER_, such as PROVIDER_NORDLYS_SECRET',
  );
const url = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' });
/** RFC 6749 §3.3: words with one space between. */
const scope = z
  .string()
  .max(2_000)
  .regex(
    /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    'must be words with one space between them',
  );

/** What stands in `providers.connection`, and what an operator may put there. */
export const providerConnection = z.discriminatedUnion('auth', [
  z.strictObject({ auth: z.literal('none') }),
  z.strictObject({ auth: z.literal('bearer'), tokenVariable: variable }),
  z.strictObject({
    auth: z.literal('basic'),
    // RFC 7617 §2: what stands before the first colon is the name
    username: text.regex(/^[^:]+$/, 'must not have a colon'),
    passwordVariable: variable,
  }),
  z.strictObject({
    auth: z.literal('client_credentials'),
    tokenUrl: url,
    clientId: text,
    secretVariable: variable,
    method: z.enum(['client_secret_basic', 'client_secret_post']).optional(),
    scope: scope.optional(),
    audience: text.optional(),
  }),
  z.strictObject({
    auth: z.literal('backend_services'),
    tokenUrl: url.optional(),
    clientId: text,
    keyVariable: variable,
    keyId: text.optional(),
    scope,
  }),
]) satisfies z.ZodType<ProviderConnection>;

/** The names of the environment variables that it takes. */
export const variablesOf = (connection: ProviderConnection): readonly string[] =>
  Object.entries(connection).flatMap(([field, value]) => (field.endsWith('Variable') ? [String(value)] : []));

const milliseconds = z.int().positive().optional();

/** What stands in `providers.settings`. */
export const providerSettings = z.strictObject({
  searchTimeoutMs: milliseconds,
  requestTimeoutMs: milliseconds,
  metadataTimeoutMs: milliseconds,
  serviceOnSlots: z.boolean().optional(),
  unnamedTreatment: text.optional(),
  town: text.max(100).optional(),
  phone: z
    .string()
    .regex(/^\+?\d[\d ]{4,16}\d$/, 'must be a telephone number')
    .optional(),
  instructions: longText,
  videoInstructions: longText,
}) satisfies z.ZodType<ProviderSettings>;
