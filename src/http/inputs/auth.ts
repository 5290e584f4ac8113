import { z } from 'zod';
import { text } from './case-fields.ts';
import { fault } from './fault.ts';

const PASSWORD_CHARACTERS = { min: 12, max: 256 };
const DEFAULT_OVERLAP_HOURS = 24;
const MAX_OVERLAP_HOURS = 7 * 24;

/** Whatever it is made of: length is what counts (NIST SP 800-63B). */
const newPassword = z
  .string('has to be a text.')
  .superRefine((value, context) => {
    const { min, max } = PASSWORD_CHARACTERS;
    const characters = Array.from(value.normalize('NFKC')).length;
    if (!value.isWellFormed()) fault(context, 'invalid', 'must not contain half of a character.');
    if (characters < min) fault(context, 'too_small', `has to have at least ${min} characters.`);
    if (characters > max) fault(context, 'too_big', `may have up to ${max} characters.`);
  })
  .meta({
    description: `${PASSWORD_CHARACTERS.min} to ${PASSWORD_CHARACTERS.max} characters, whichever; not the e-mail address.`,
    override: { minLength: PASSWORD_CHARACTERS.min, maxLength: PASSWORD_CHARACTERS.max, format: 'password' },
  });

export const activateInput = z.strictObject({
  activationToken: text(200).meta({
    description: 'The one-time token that our operator gave you: `tb_act_…`, good for 72 hours.',
    override: { maxLength: 200, pattern: '\\S' },
  }),
  password: newPassword,
});

export const loginInput = z.strictObject({
  email: text(254).meta({
    description: 'Upper and lower case are the same.',
    override: { maxLength: 254, pattern: '\\S' },
  }),
  password: z
    .string('has to be a text.')
    .min(1, 'must not be empty.')
    .meta({
      description: 'As it was chosen at the activation.',
      override: { minLength: 1, format: 'password' },
    }),
});

export const newKeyInput = z.strictObject({
  name: text(100).meta({
    description: 'What the key is for, such as the system that uses it.',
    override: { maxLength: 100, pattern: '\\S' },
  }),
});

const OVERLAP_RULE = `has to be a whole number from 0 to ${MAX_OVERLAP_HOURS}.`;

export const rotateInput = z.strictObject({
  overlapHours: z
    .int(OVERLAP_RULE)
    .min(0, OVERLAP_RULE)
    .max(MAX_OVERLAP_HOURS, OVERLAP_RULE)
    .default(DEFAULT_OVERLAP_HOURS)
    .meta({ description: 'How long the old key goes on; 0 ends it at once.' }),
});
