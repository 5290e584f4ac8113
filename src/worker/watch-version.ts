import { UNVERSIONED } from '../domain/ids.ts';
import { every } from '../main/process.ts';

/** Until it is noticed that the cases come here, or no longer do (milliseconds). */
const POLL_EVERY = 5_000;

/**
 * Knows whether the cases go to the workers of this version, and reports it at the start and at each change. It does
 * nothing about it: an older version that took the cases by itself would break those that have gone on.
 *
 * @param current which version the cases go to; it may fail, and is asked again
 */
export function watchVersion(
  current: () => Promise<string>,
  own: string,
  onChange: (isOurs: boolean, current: string) => void,
  pollEvery = POLL_EVERY,
): { isOurs(): boolean; stop(): Promise<void> } {
  let last: string | null = null;
  const polling = every(
    pollEvery,
    async () => {
      const found = await current();
      if (found === last) return;
      last = found;
      onChange(found === own, found);
    },
    // as before, until it answers again
    () => undefined,
  );
  return { isOurs: () => own === (last ?? UNVERSIONED), stop: () => polling.stop() };
}
