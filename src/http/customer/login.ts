import type { CaseId } from '../../domain/ids.ts';
import { LoginFailed } from '../../identity/login-failed.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import type { Dependencies } from '../dependencies.ts';

export interface Finished {
  readonly caseId: CaseId;
  readonly setCookie: string;
}

/** The login at the eID, from our side. Every failure is a {@link LoginFailed}. */
export const createLogin = ({ eid, loginStates, pendingLogins, sessions, personKeyOf }: Dependencies) => ({
  /** @param language of the eID's pages */
  async begin(view: CaseView, cookies: string | undefined, language?: string) {
    const state = await loginStates.issue(view.id);
    const { authorizationUrl, pending } = await eid.begin(view.id, {
      state,
      ...(language !== undefined && { language }),
    });
    return { authorizationUrl, setCookie: await pendingLogins.add(cookies, pending) };
  },

  /** Which case somebody who comes back from the eID was at, whoever it is; null when nobody can tell. */
  caseOf: (callbackUrl: URL): Promise<CaseId | null> =>
    loginStates.caseOf(callbackUrl.searchParams.get('state')),

  async finish(callbackUrl: URL, cookies: string | undefined): Promise<Finished> {
    const pending = await pendingLogins.find(cookies, callbackUrl);
    if (!pending) throw new LoginFailed('other_browser');
    const person = await eid.finish(callbackUrl, pending);
    const { givenName, familyName, birthDate } = person;
    const setCookie = await sessions.start({
      personKey: personKeyOf(person),
      givenName,
      familyName,
      birthDate,
    });
    return { caseId: pending.caseId, setCookie };
  },

  /** Ends it in this browser. @returns the values of `Set-Cookie` headers */
  end: (cookies: string | undefined): string[] => [...sessions.end(), ...pendingLogins.forget(cookies)],

  /** Where to end it at the eID too; null when that is not wanted. */
  logoutUrl: async (view: CaseView, language: string): Promise<string | null> =>
    eid.logoutUrl(await loginStates.issue(view.id), language),
});
