import { z } from 'zod';

/** Adds a fault with a code of its own, which the answer repeats (`details.fields`). */
export function fault(context: z.RefinementCtx, code: string, message: string): typeof z.NEVER {
  context.addIssue({ code: 'custom', message, params: { code } });
  return z.NEVER;
}
