import { z } from 'zod';
import { text } from './case-fields.ts';

const number = (description: string) => text(100).meta({ description });

export const policyInput = z.strictObject({
  policyNumber: number('The number of the policy, as the registry has it. It is not kept.'),
});

export const referralInput = z.strictObject({
  referralNumber: number('The number of the referral, as the registry has it. It is not kept.'),
});
