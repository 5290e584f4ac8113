import { parseCaseId } from '../../domain/ids.ts';
import { type LoginFailed, LOGIN_FAILURES } from '../../identity/login-failed.ts';
import { isSameName } from '../../identity/name-match.ts';
import type { Session } from '../../identity/session.ts';
import { type CaseView, readCase } from '../../postgres/cases.ts';
import { bindPerson, readBoundPerson } from '../../postgres/customers.ts';
import type { Dependencies } from '../dependencies.ts';
import { ApiError, caseNotFound } from '../errors.ts';

/** Which case, and whose it is. */
export const createCaseAccess = ({ database }: Pick<Dependencies, 'database'>) => {
  /** The first person whose name matches is bound to the case; from then on, only that person is (docs/contract.md §3). */
  const isOwner = async (view: CaseView, session: Session): Promise<boolean> => {
    const { id: sessionId, personId, givenName, familyName, birthDate } = session;
    const bound = await readBoundPerson(database, view.id);
    if (bound) return bound.personId === personId;
    const names = { first: view.patient_first_name, last: view.patient_last_name };
    const named = { given: names.first, family: names.last };
    if (!isSameName(named, { given: givenName, family: familyName })) return false;
    const person = { personId, givenName, familyName, birthDate };
    return (await bindPerson(database, view.id, names, { ...person, sessionId })) === personId;
  };

  return {
    isOwner,

    /** @throws CASE_NOT_FOUND */
    find: async (id: string): Promise<CaseView> => {
      const caseId = parseCaseId(id);
      const view = caseId && (await readCase(database, caseId));
      if (!view) throw caseNotFound();
      return view;
    },

    /** @throws EID_LOGIN_REQUIRED, IDENTITY_MISMATCH */
    require: async (view: CaseView, session: Session | null): Promise<Session> => {
      if (!session) throw new ApiError('EID_LOGIN_REQUIRED');
      if (!(await isOwner(view, session))) throw new ApiError('IDENTITY_MISMATCH');
      return session;
    },
  };
};

/** News to the operator only where our settings or the eID are at fault. Its message is codes and names of claims. */
export function logFailedLogin(
  { log, metrics }: Pick<Dependencies, 'log' | 'metrics'>,
  requestId: string,
  { reason, message }: LoginFailed,
): void {
  const { fault } = LOGIN_FAILURES[reason];
  metrics.loginFailed(reason, fault);
  const entry = { requestId, login: message };
  if (fault === 'customer') log.info(entry, 'login failed');
  else if (fault === 'eID') log.warn(entry, 'login failed: eID unavailable');
  else log.error(entry, 'login failed: EID_ settings rejected by the eID');
}
