import { parseCaseId, type CaseId } from '../domain/ids.ts';
import { createSeal } from './seal.ts';

const A_DAY = 24 * 60 * 60;

/**
 * The `state` that goes to the eID and comes back: nobody can guess it, nor read it, but the case is in it. So a login
 * that ends in another browser than it began in, or after its cookie has expired, is still led back to its case. It lets
 * nobody in: a login is finished by the browser only that has its {@link PendingLogins}.
 */
export interface LoginStates {
  issue(caseId: CaseId): Promise<string>;
  /** @returns null for what we never issued, or longer ago than a day. */
  caseOf(state: string | null): Promise<CaseId | null>;
}

export function createLoginStates(options: {
  secrets: readonly [string, ...string[]];
  now?: () => Date;
}): LoginStates {
  const sealed = createSeal<string>({ ...options, purpose: 'login-state', maxAgeSeconds: A_DAY });
  return {
    // the seal's random nonce makes each one different
    issue: (caseId) => sealed.seal(caseId),
    async caseOf(state) {
      const caseId = state === null ? null : await sealed.unseal(state);
      return caseId === null ? null : parseCaseId(caseId);
    },
  };
}
