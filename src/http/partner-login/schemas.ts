import { z } from 'zod';
import { parseTime } from '../../calendar/dates.ts';
import type { Instant } from '../../domain/instant.ts';
import {
  KEY_OVERLAP_HOURS,
  KEY_SCOPES,
  MAX_KEY_NETWORKS,
  MAX_KEY_OVERLAP_HOURS,
} from '../../domain/limits.ts';
import { dateTime, fieldError, network, nextCursor, text } from '../fields.ts';
import { numberedCursors, pageLimit } from '../pagination.ts';

const PASSWORD_CHARACTERS = { min: 12, max: 256 };

/** Whatever it is made of: length is what counts (NIST SP 800-63B). */
const newPassword = z
  .string('must be a string.')
  .superRefine((value, context) => {
    const { min, max } = PASSWORD_CHARACTERS;
    const characters = Array.from(value.normalize('NFKC')).length;
    if (!value.isWellFormed()) fieldError(context, 'invalid', 'must not contain half of a character.');
    if (characters < min) fieldError(context, 'too_small', `has to have at least ${min} characters.`);
    if (characters > max) fieldError(context, 'too_big', `may have up to ${max} characters.`);
  })
  .meta({
    description:
      `${PASSWORD_CHARACTERS.min} to ${PASSWORD_CHARACTERS.max} characters, whichever; not the e-mail address, and none ` +
      'of those that are tried first (common ones and their variations, sequences, your own or your company’s name).',
    override: { minLength: PASSWORD_CHARACTERS.min, maxLength: PASSWORD_CHARACTERS.max, format: 'password' },
  });

export const activateInput = z.strictObject({
  activationToken: text(200).meta({
    description: 'The one-time token that our operator gave you: `tb_act_…`, good for 72 hours.',
    override: { maxLength: 200, pattern: '\\S' },
  }),
  password: newPassword,
});

const ownPassword = z
  .string('must be a string.')
  .min(1, 'must not be empty.')
  .meta({
    description: 'As it was chosen at the activation.',
    override: { minLength: 1, format: 'password' },
  });

export const loginInput = z.strictObject({
  email: text(254).meta({
    description: 'Upper and lower case are the same.',
    override: { maxLength: 254, pattern: '\\S' },
  }),
  password: ownPassword,
  oneTimeCode: z
    .string('must be a string of six digits.')
    .transform((value) => value.replaceAll(' ', ''))
    .pipe(z.string().regex(/^\d{6}$/, 'must be six digits.'))
    .optional()
    .meta({
      description:
        'What the authenticator app shows for the `otpauthUri` of the activation (TOTP, RFC 6238); each code is good ' +
        'once. Required in production; in the test environment it may be left out.',
      override: { type: 'string', pattern: '^ *(\\d *){6}$' },
    }),
});

/** The instant itself is judged where the time is known. */
const keyEnd = z
  .string('must be an instant with its offset, such as 2027-01-31T00:00:00Z.')
  .transform((value, context): Instant => {
    const at = /T.*(Z|[+-]\d\d:\d\d)$/.test(value) ? parseTime(value) : null;
    return (
      at ??
      fieldError(context, 'invalid_time', 'must be an instant with its offset, such as 2027-01-31T00:00:00Z.')
    );
  })
  .optional()
  .meta({ override: { type: 'string', format: 'date-time' } });

export const newKeyInput = z.strictObject({
  password: ownPassword,
  name: text(100).meta({
    description: 'What the key is for, such as the system that uses it.',
    override: { maxLength: 100, pattern: '\\S' },
  }),
  expiresAt: keyEnd.meta({
    description: 'When the key ends by itself: an instant to come. Left out, it goes on until it is revoked.',
  }),
  scopes: z
    .array(z.enum(KEY_SCOPES, `must be one of: ${KEY_SCOPES.join(', ')}.`), 'must be a list.')
    .min(1, 'must name one scope at least.')
    .transform((given) => KEY_SCOPES.filter((scope) => given.includes(scope)))
    .default([...KEY_SCOPES])
    .meta({
      description:
        'What the key may do: `cases:read` is for every GET, `cases:write` for all else. Left out: both.',
    }),
  allowedNetworks: z
    .array(network, 'must be a list.')
    .min(1, 'must name one network at least; left out, the key is good from everywhere.')
    .max(MAX_KEY_NETWORKS, `may name up to ${MAX_KEY_NETWORKS} networks.`)
    .nullable()
    .default(null)
    .meta({
      description:
        'From where the key is good: the networks that your calls come from, in CIDR. Null or left out: from everywhere.',
      examples: [['192.0.2.0/24', '2001:db8::/32']],
    }),
});

const OVERLAP_RULE = `must be a whole number from 0 to ${MAX_KEY_OVERLAP_HOURS}.`;

export const rotateInput = z.strictObject({
  password: ownPassword,
  overlapHours: z
    .int(OVERLAP_RULE)
    .min(0, OVERLAP_RULE)
    .max(MAX_KEY_OVERLAP_HOURS, OVERLAP_RULE)
    .default(KEY_OVERLAP_HOURS)
    .meta({ description: 'How long the old key goes on; 0 ends it at once.' }),
  expiresAt: keyEnd.meta({
    description: 'When the new key ends by itself. Left out: as the old one was to.',
  }),
});

const partner = z.object({ id: z.string(), name: z.string() });
const email = z.string().meta({ description: 'The account.' });

export const activatedAnswer = z
  .object({
    email,
    partner,
    otpauthUri: z.string().meta({
      description:
        'The secret of the one-time codes, for an authenticator app, which also reads it as a QR code. It is shown this ' +
        'once; whoever loses it needs a new activation.',
    }),
  })
  .meta({ id: 'Activated', description: 'An account that can log in.' });

export const loginAnswer = z
  .object({
    accessToken: z.string().meta({ description: 'For the header `Authorization: Bearer …`.' }),
    tokenType: z.literal('Bearer'),
    expiresAt: dateTime('60 minutes from the login.'),
  })
  .meta({ id: 'PartnerLogin', description: 'An access token, good for an hour.' });

export const logoutAnswer = z
  .object({ authenticated: z.literal(false) })
  .meta({ id: 'PartnerLogout', description: 'Nobody is logged in any more.' });

export const meAnswer = z
  .object({ email, partner, expiresAt: dateTime('When the access token ends.') })
  .meta({ id: 'PartnerUser', description: 'Who is logged in, and for which partner.' });

const keyFields = {
  id: z.uuid(),
  name: z.string(),
  hint: z.string().meta({ description: 'The key’s beginning, to tell it from others.' }),
  createdAt: dateTime('When it was issued.'),
  lastUsedAt: dateTime('To the minute; null: never.').nullable(),
  expiresAt: dateTime('When it ends or ended: as it was created, or after a rotation.').nullable(),
  revokedAt: dateTime('When it was revoked.').nullable(),
  scopes: z.array(z.enum(KEY_SCOPES)).meta({ description: 'What it may do.' }),
  allowedNetworks: z
    .array(z.string())
    .nullable()
    .meta({ description: 'From where it is good, in CIDR; null: from everywhere.' }),
};

/** Contract §4: never the secret. */
export const keyAnswer = z
  .object(keyFields)
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' });
export type KeyAnswer = z.input<typeof keyAnswer>;

export const keyListAnswer = z
  .object({ data: z.array(keyAnswer) })
  .meta({ id: 'ApiKeyList', description: 'The keys of a partner.' });

const request = z
  .object({
    at: dateTime('When it came.'),
    method: z.string(),
    route: z.string().nullable().meta({
      description:
        'As this description has it, with the names of its parameters; null where there is nothing.',
    }),
    status: z.int().meta({ description: 'With which HTTP status it was answered.' }),
    requestId: z.uuid().meta({ description: 'Its `X-Request-Id`.' }),
    correlationId: z.string().nullable().meta({ description: 'Your `X-Correlation-ID`.' }),
    apiKeyId: z.uuid().nullable().meta({ description: 'With which key; null where a user was logged in.' }),
    userId: z.uuid().nullable().meta({ description: 'Which user; null where it was done with a key.' }),
  })
  .meta({ id: 'PartnerRequest', description: 'A call of yours.' });

export const requestListAnswer = z
  .object({ data: z.array(request), nextCursor })
  .meta({ id: 'PartnerRequestList', description: 'A page of your calls, the newest first.' });

export const requestCursors = numberedCursors('requests');

export const listRequestsInput = z.strictObject({
  limit: pageLimit,
  cursor: requestCursors.schema.optional(),
});

const apiKey = z.string().meta({ description: 'The key itself. It is shown this once: keep it safe now.' });

export const newKeyAnswer = z
  .object({ ...keyFields, apiKey })
  .meta({ id: 'NewApiKey', description: 'An API key, with its secret.' });

export const rotatedKeyAnswer = z
  .object({
    ...keyFields,
    apiKey,
    replaces: z
      .object({ id: z.uuid(), expiresAt: dateTime('Until when the old key goes on.') })
      .meta({ description: 'The old key.' }),
  })
  .meta({ id: 'RotatedApiKey', description: 'A new API key, and the one that it replaces.' });
