import { z } from 'zod';
import { CHANNELS } from '../../domain/case-state.ts';
import { text } from './case-fields.ts';

/** An action that needs to be told nothing: no body, or an empty one. */
export const noInput = z.strictObject({});

export const recallInput = z.strictObject({
  reason: text(1_000)
    .nullish()
    .meta({ description: 'Why; for you to read again on the case. The customer is not told.' }),
});

export const resendInput = z.strictObject({
  channel: z
    .enum(CHANNELS, 'has to be email or sms.')
    .nullish()
    .meta({ description: 'Only there; left out, on every channel for which the case has an address.' }),
});
