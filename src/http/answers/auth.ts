import { z } from 'zod';
import { instant } from './primitives.ts';

const partner = z.object({ id: z.string(), name: z.string() });
const email = z.string().meta({ description: 'The account.' });

export const activatedAnswer = z
  .object({ email, partner })
  .meta({ id: 'Activated', description: 'An account that can log in.' });

export const loginAnswer = z
  .object({
    accessToken: z.string().meta({ description: 'For the header `Authorization: Bearer …`.' }),
    tokenType: z.literal('Bearer'),
    expiresAt: instant('60 minutes from the login.'),
  })
  .meta({ id: 'PartnerLogin', description: 'An access token, good for an hour.' });

export const logoutAnswer = z
  .object({ authenticated: z.literal(false) })
  .meta({ id: 'PartnerLogout', description: 'Nobody is logged in any more.' });

export const meAnswer = z
  .object({ email, partner, expiresAt: instant('When the access token ends.') })
  .meta({ id: 'PartnerUser', description: 'Who is logged in, and for which partner.' });

const keyFields = {
  id: z.uuid(),
  name: z.string(),
  hint: z
    .string()
    .nullable()
    .meta({ description: 'The key’s beginning, to tell it from others; null for very old ones.' }),
  createdAt: instant('When it was issued.'),
  lastUsedAt: instant('To the minute; null: never.').nullable(),
  expiresAt: instant('When it ends, or ended, after a rotation.').nullable(),
  revokedAt: instant('When it was revoked.').nullable(),
};

/** Contract §4: never the secret. */
export const keyAnswer = z
  .object(keyFields)
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' });
export type KeyAnswer = z.input<typeof keyAnswer>;

export const keyListAnswer = z
  .object({ data: z.array(keyAnswer) })
  .meta({ id: 'ApiKeyList', description: 'The keys of a partner.' });

const apiKey = z.string().meta({ description: 'The key itself. It is shown this once: keep it safe now.' });

export const newKeyAnswer = z
  .object({ ...keyFields, apiKey })
  .meta({ id: 'NewApiKey', description: 'An API key, with its secret.' });

export const rotatedKeyAnswer = z
  .object({
    ...keyFields,
    apiKey,
    replaces: z
      .object({ id: z.uuid(), expiresAt: instant('Until when the old key goes on.') })
      .meta({ description: 'The old key.' }),
  })
  .meta({ id: 'RotatedApiKey', description: 'A new API key, and the one that it replaces.' });
