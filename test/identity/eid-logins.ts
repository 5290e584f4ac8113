import { expect } from '@jest/globals';
import { parseCaseId, type CaseId } from '../../src/domain/ids.ts';
import { createEid, type Eid, type EidOptions, type PendingLogin } from '../../src/identity/eid.ts';
import { LoginFailed, type LoginFailure } from '../../src/identity/login-failed.ts';
import { STANDARD_CLAIMS } from '../../src/identity/person.ts';
import { logInAt, type Answer } from './eid-visitor.ts';

export const CASE_ID = parseCaseId('6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d') as CaseId;
export const REDIRECT = 'http://127.0.0.1:9/eid/callback';
/** As the sandbox's eID says it. */
export const HIGH = 'urn:bankid:bid;LOA=4';
export const CLIENT = { clientId: 'booking', clientSecret: 'sec ret:+%' };

export const clientOf = (issuer: string, options: Partial<EidOptions> = {}): Eid =>
  createEid({
    ...CLIENT,
    redirectUri: REDIRECT,
    issuer,
    scope: 'openid profile',
    claims: STANDARD_CLAIMS,
    level: { claim: 'acr', accepted: [HIGH] },
    allowInsecure: true,
    ...options,
  });

/** Goes to the eID, answers there, and comes back, up to the callback. */
export async function logIn(
  eid: Eid,
  answer: Answer,
): Promise<{ authorizationUrl: string; pending: PendingLogin; callback: URL }> {
  const begun = await eid.begin(CASE_ID);
  return { ...begun, callback: await logInAt(begun.authorizationUrl, REDIRECT, answer) };
}

/** The login's failure; fails the test when there was none, or one of another kind. */
export const reasonOf = async (attempt: Promise<unknown>): Promise<LoginFailure> =>
  (await failureOf(attempt)).reason;

export async function failureOf(attempt: Promise<unknown>): Promise<LoginFailed> {
  const failure: unknown = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof LoginFailed)) throw new Error('not a LoginFailed', { cause: failure });
  // neither names, codes, secrets nor URLs
  expect(failure.message).toMatch(/^[\w ()-]+$/);
  expect(failure.message).not.toMatch(/Kari|Nordmann/);
  expect(failure).not.toHaveProperty('cause');
  return failure;
}
