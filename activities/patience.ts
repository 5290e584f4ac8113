import { Context } from '@temporalio/activity';

/** What is on its way then has this long to arrive (milliseconds). */
const MARGIN = 1_000;

/**
 * Aborted before Temporal gives this attempt up, or all attempts. Whatever was sent later could come behind what undoes
 * it: an attempt that timed out in Temporal goes on in its worker, and the workflow goes on without it.
 *
 * @param since when its time began, by Temporal's clock (milliseconds)
 */
export function patienceOfAttempt(since: number): AbortSignal {
  const { info } = Context.current();
  const { startToCloseTimeoutMs: each, scheduleToCloseTimeoutMs: all } = info;
  const longest = each - MARGIN;
  const left = Math.min(
    longest,
    since + longest - Date.now(),
    all > 0 ? info.scheduledTimestampMs + all - MARGIN - Date.now() : longest,
  );
  return left > 0 ? AbortSignal.timeout(left) : AbortSignal.abort();
}
