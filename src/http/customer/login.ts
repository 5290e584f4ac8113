import { parseCaseId, type CaseId } from '../../domain/ids.ts';
import { LoginFailed } from '../../identity/login-failed.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import type { Dependencies } from '../dependencies.ts';

export interface Finished {
  readonly caseId: CaseId;
  readonly setCookie: string;
}

/** The login at the eID, from our side. Every failure is a {@link LoginFailed}. */
export const createLogin = ({ eid, pendingLogins, sessions, personKeyOf }: Dependencies) => ({
  async begin(view: CaseView, cookies: string | undefined) {
    const { authorizationUrl, pending } = await eid.begin(view.id);
    return { authorizationUrl, setCookie: await pendingLogins.add(cookies, pending) };
  },

  /** Which case a callback is about, if this browser began the login; null otherwise. */
  async caseOf(callbackUrl: URL, cookies: string | undefined): Promise<CaseId | null> {
    const pending = await pendingLogins.find(cookies, callbackUrl);
    return pending && parseCaseId(pending.caseId);
  },

  async finish(callbackUrl: URL, cookies: string | undefined): Promise<Finished> {
    const pending = await pendingLogins.find(cookies, callbackUrl);
    if (!pending) throw new LoginFailed('callback_invalid');
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
});
