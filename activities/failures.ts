import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { ProviderUnavailable } from '../src/providers/port.ts';
import type { Activities } from './contract.ts';

/** A fault of ours in the code or its data: the same attempt again gives the same fault. */
const BUGS: readonly string[] = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'ZodError'];

/** Activities that somebody waits for to end. The others are tried until the fault is mended: nothing may be lost. */
const MAY_FAIL: readonly string[] = [
  'secureSlot',
  'transferBooking',
  'releaseBooking',
] satisfies readonly (keyof Activities)[];

/** Lets every failure of these activities leave as {@link toFailure} decides. */
export function guard<A extends object>(activities: A): A {
  const guarded = Object.entries(activities as Record<string, (input: never) => Promise<unknown>>).map(
    ([name, activity]) => [
      name,
      (input: never) =>
        activity(input).catch((error: unknown) => {
          throw toFailure(error, MAY_FAIL.includes(name));
        }),
    ],
  );
  return Object.fromEntries(guarded) as A;
}

/**
 * The only place that decides between "again" and "never". What leaves here is stored in plain text in histories, so a
 * message is passed on only from errors that promise to hold nothing personal; of all others, the kind is named.
 */
function toFailure(error: unknown, mayFail: boolean): Error {
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error;
  if (error instanceof ProviderUnavailable) {
    return ApplicationFailure.create({
      message: error.message,
      type: 'ProviderUnavailable',
      // none at all would be a retry without a pause
      ...(error.retryAfterSeconds ? { nextRetryDelay: `${error.retryAfterSeconds}s` } : {}),
    });
  }
  const kind = error instanceof Error ? error.name : typeof error;
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  const nonRetryable = mayFail && BUGS.includes(kind);
  return ApplicationFailure.create({
    message: `${kind}${code}${whereFrom(error)}`,
    type: kind,
    nonRetryable,
  });
}

/** The first line of ours in the stack, by file name: enough to find a fault, and nothing of the data. */
function whereFrom(error: unknown): string {
  const frame =
    error instanceof Error ? error.stack?.split('\n').find((line) => /(src|activities)\//.test(line)) : null;
  const place = frame && /((?:src|activities)\/[\w/.-]+:\d+)/.exec(frame)?.[1];
  return place ? ` at ${place}` : '';
}
