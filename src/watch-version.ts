import { UNVERSIONED } from './temporal/worker-versions.ts';

/** Until it is noticed that the cases come here, or no longer do (milliseconds). */
const EVERY = 5_000;

/**
 * Knows whether the cases go to the workers of this version, and tells at the start and at each change. It does nothing
 * about it: an older version that took the cases by itself would break those that have gone on.
 *
 * @param current which version the cases go to; it may fail, and is asked again
 */
export function watchVersion(
  current: () => Promise<string>,
  own: string,
  tell: (isOurs: boolean, current: string) => void,
  every = EVERY,
): { isOurs(): boolean; stop(): Promise<void> } {
  let last: string | null = null;
  const look = async () => {
    const found = await current().catch(() => last);
    if (found === null || found === last) return;
    last = found;
    tell(found === own, found);
  };
  let looking = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, every);
  return {
    isOurs: () => own === (last ?? UNVERSIONED),
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
