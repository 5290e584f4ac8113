import { parseCaseId } from '../../domain/ids.ts';
import { isSameName } from '../../identity/name-match.ts';
import type { Session } from '../../identity/session.ts';
import { bindPerson, boundPerson } from '../../postgres/persons.ts';
import { readCase, type CaseView } from '../../postgres/read-cases.ts';
import { ApiError, caseNotFound } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';

/** Which case, and whose it is. */
export const createAccess = ({ database }: Pick<Dependencies, 'database'>) => {
  /** The first person whose name matches is bound to the case; from then on, only that person is (contract §3). */
  const isOwner = async (view: CaseView, session: Session): Promise<boolean> => {
    const { personKey, givenName, familyName, birthDate } = session;
    const bound = await boundPerson(database, view.id);
    if (bound) return bound.personKey === personKey;
    const named = { given: view.patient_first_name, family: view.patient_last_name };
    if (!isSameName(named, { given: givenName, family: familyName })) return false;
    return (
      (await bindPerson(database, view.id, { personKey, givenName, familyName, birthDate })) === personKey
    );
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
