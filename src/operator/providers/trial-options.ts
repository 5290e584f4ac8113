import type { Stage } from '../../providers/conformance/examine.ts';
import { wrongUsage } from '../ending.ts';

/** The options that allow a check to change something at the clinic. */
export const WRITE = [
  '--write',
  'also hold a free time for a moment, and release it again (the last free one, unless --slot says which)',
] as const;
export const BOOK = [
  '--book',
  'with --write: also book that time for a fictitious patient, and cancel it again; the cancelled appointments and the patient may stay to be seen',
] as const;
export const SLOT = [
  '--slot <id>',
  "with --write: try it on this free time, by the clinic's own id",
] as const;

export interface TrialOptions {
  readonly write?: true | undefined;
  readonly book?: true | undefined;
  readonly slot?: string | undefined;
}

/** How far it may go. @throws Ending when the options do not go together */
export function stageOf({ write, book, slot }: TrialOptions): Stage {
  if (!write && (book || slot !== undefined))
    throw wrongUsage(
      `${book ? '--book' : '--slot'} goes with --write, which allows to change something there.`,
    );
  return book ? 'booking' : write ? 'holding' : 'reading';
}
