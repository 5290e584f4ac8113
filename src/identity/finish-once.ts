import type { Eid } from './eid.ts';
import type { Person } from './person.ts';

/** Long enough for a second click or a page that is loaded again, and too short for anything else. */
const KEPT_MS = 20_000;

/**
 * A code is good for once at the eID, but browsers ask twice: a double click, a tab that an app switch reloads. Then the
 * second answer is what the first one was. Failures are not kept.
 *
 * It is only for who has the login's own cookie, which a logout takes away.
 */
export function finishOnce(eid: Eid): Eid {
  const finished = new Map<string, Promise<Person>>();
  return {
    ...eid,
    finish(callbackUrl, pending) {
      const key = JSON.stringify([pending.state, callbackUrl.search]);
      const known = finished.get(key);
      if (known !== undefined) return known;
      const person = eid.finish(callbackUrl, pending);
      finished.set(key, person);
      const forget = () => void finished.delete(key);
      person.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
      return person;
    },
  };
}
