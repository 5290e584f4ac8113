import { isDatabaseAway } from '../postgres/is-away.ts';
import { ApiError, outcomeUnknown } from './api-error.ts';

/**
 * Does what comes after a wish was granted. When something is away then, the caller must not be told that nothing
 * happened.
 *
 * @throws OUTCOME_UNKNOWN in place of what says so
 */
export async function afterwards<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const saysNothingHappened = error instanceof ApiError && error.code === 'TEMPORARILY_UNAVAILABLE';
    throw saysNothingHappened || isDatabaseAway(error) ? outcomeUnknown() : error;
  }
}
