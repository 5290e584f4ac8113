import { z } from 'zod';
import {
  VERIFICATION_OUTCOMES,
  VERIFICATION_REASONS,
  type VerificationReason,
} from '../../domain/verification.ts';
import { calendarDate, instant } from './primitives.ts';

const reasons = Object.keys(VERIFICATION_REASONS) as [VerificationReason, ...VerificationReason[]];

const reason = z.enum(reasons).meta({
  id: 'VerificationReason',
  description: Object.entries(VERIFICATION_REASONS)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n'),
});

/** Contract §1's Verification. */
export const verificationAnswer = z
  .object({
    outcome: z.enum(VERIFICATION_OUTCOMES),
    reasons: z.array(reason).meta({ description: 'Why it is not verified. Empty when it is.' }),
    checkedAt: instant('When the registry was asked.'),
    validFrom: calendarDate('The first day, where the registry says one.').nullable(),
    validTo: calendarDate('The last day, where the registry says one.').nullable(),
  })
  .meta({ id: 'Verification', description: 'What a registry said. It informs, and never blocks a booking.' });
