import { z } from 'zod';
import { calendarDate, instant } from './primitives.ts';

/** Contract §1's Verification. */
export const verificationAnswer = z
  .object({
    outcome: z.enum(['verified', 'not_verified']),
    reasons: z.array(z.string()).meta({ description: 'Why it is not verified: codes. Empty when it is.' }),
    checkedAt: instant('When the registry was asked.'),
    validFrom: calendarDate('The first day, where the registry says one.').nullable(),
    validTo: calendarDate('The last day, where the registry says one.').nullable(),
  })
  .meta({ id: 'Verification', description: 'What a registry said. It informs, and never blocks a booking.' });
