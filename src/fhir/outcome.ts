import { z } from 'zod';

export const outcomeSchema = z.looseObject({
  resourceType: z.literal('OperationOutcome'),
  issue: z.array(z.looseObject({ severity: z.string() })),
});

export const isError = ({ severity }: { readonly severity: string }): boolean =>
  severity === 'error' || severity === 'fatal';
