import { createHmac } from 'node:crypto';

/** Tells one person from another without saying who: 64 hex digits. */
export type PersonKey = string & { readonly brand: 'PersonKey' };

/**
 * The keyed hash by which a case is bound to the person who logged in first. The issuer is part of it, because a stable
 * claim is unique at its issuer only.
 *
 * `secret` MUST stay as it is as long as there are bound cases: with another one everybody would be somebody else.
 */
export function personKey(person: { issuer: string; personId: string }, secret: string): PersonKey {
  // as JSON, so that no other pair of issuer and claim reads the same
  const who = JSON.stringify([person.issuer, person.personId]);
  return createHmac('sha256', secret).update(who).digest('hex') as PersonKey;
}
