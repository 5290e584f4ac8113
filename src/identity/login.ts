import type { CaseId } from '../domain/ids.ts';
import type { Eid, PendingLogin } from './eid.ts';
import { LoginFailed } from './login-failed.ts';
import { createLoginStates, createPendingLogins } from './pending-logins.ts';
import { type IdentitySecret, type Person, personKeys } from './person.ts';
import type { Sessions } from './session.ts';

/**
 * A customer's login, from the page to the eID and back. What its verbs throw besides {@link LoginFailed} is that
 * sessions can't be begun or ended now.
 */
export interface CustomerLogin {
  begin(
    caseId: CaseId,
    cookies: string | undefined,
    options?: LoginBegin,
  ): Promise<{ readonly authorizationUrl: string; readonly setCookie: string[] }>;
  finish(
    callbackUrl: URL,
    cookies: string | undefined,
  ): Promise<{
    readonly caseId: CaseId;
    /** Of whoever logged in. */
    readonly personId: string;
    readonly setCookie: string;
    /** Where it was begun; null for the case's first page. */
    readonly back: string | null;
  }>;
  /** Which case somebody who comes back from the eID was at, whoever it is; null when nobody can tell. */
  caseOf(callbackUrl: URL): Promise<CaseId | null>;
  /** Ends the browser's session, and the logins under way in it. @returns the values of `Set-Cookie` headers */
  end(cookies: string | undefined): Promise<string[]>;
  /** Where to end it at the eID too; null when that is not wanted. */
  logoutUrl(caseId: CaseId, language: string): Promise<string | null>;
}

export interface LoginBegin {
  /** Of the eID's pages. */
  readonly language?: string;
  /** A path of ours, to which the login leads back. */
  readonly back?: string;
}

export interface LoginOptions {
  readonly eid: Eid;
  readonly sessions: Sessions;
  readonly cookies: {
    readonly secrets: readonly [string, ...string[]];
    readonly secure: boolean;
    readonly now: () => Date;
  };
  /** By which people are known again: see {@link personKeys}. */
  readonly identitySecrets: readonly [IdentitySecret, ...IdentitySecret[]];
}

export function createCustomerLogin({
  eid,
  sessions,
  cookies,
  identitySecrets,
}: LoginOptions): CustomerLogin {
  const states = createLoginStates(cookies);
  const pendingLogins = createPendingLogins<PendingLogin>(cookies);
  const { finish } = finishOnce(eid);

  return {
    async begin(caseId, header, { language, back } = {}) {
      const state = await states.issue(caseId);
      const { authorizationUrl, pending } = await eid.begin(caseId, {
        state,
        ...(language !== undefined && { language }),
      });
      const kept = { ...pending, ...(back !== undefined && { back }) };
      return { authorizationUrl, setCookie: await pendingLogins.add(header, kept) };
    },

    async finish(callbackUrl, header) {
      const pending = await pendingLogins.find(header, callbackUrl);
      if (!pending) throw new LoginFailed('other_browser');
      const person = await finish(callbackUrl, pending);
      const { givenName, familyName, birthDate } = person;
      const keys = personKeys(person, identitySecrets);
      const { session, setCookie } = await sessions.start({ keys, givenName, familyName, birthDate }, header);
      const { personId } = session;
      return { caseId: pending.caseId, personId, setCookie, back: pending.back ?? null };
    },

    caseOf: (callbackUrl) => states.caseOf(callbackUrl.searchParams.get('state')),
    end: async (header) => [await sessions.end(header), ...pendingLogins.forget(header)],
    logoutUrl: async (caseId, language) => eid.logoutUrl(await states.issue(caseId), language),
  };
}

/** Long enough for a second click or a page that is loaded again, and too short for anything else. */
const KEPT_MS = 20_000;

/**
 * A code is good for once at the eID, but browsers ask twice: a double click, a tab that an app switch reloads. Then the
 * second answer is what the first one was. Failures are not kept.
 *
 * It is only for who has the login's own cookie, which a logout takes away.
 */
export function finishOnce(eid: Pick<Eid, 'finish'>): Pick<Eid, 'finish'> {
  const finished = new Map<string, Promise<Person>>();
  return {
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
