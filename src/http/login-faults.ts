import type { Logger } from 'pino';
import type { LoginFailed, LoginFailure } from '../identity/login-failed.ts';

/** Whom a failed login is news to: the operator only where our settings or the eID are at fault. */
const FAULT_OF: Readonly<Record<LoginFailure, 'customer' | 'eID' | 'settings'>> = {
  cancelled: 'customer',
  expired: 'customer',
  callback_invalid: 'customer',
  other_browser: 'customer',
  refused: 'eID',
  eid_unavailable: 'eID',
  level_too_low: 'customer',
  name_missing: 'settings',
  identity_missing: 'settings',
  level_missing: 'settings',
  eid_misconfigured: 'settings',
};

/** The failure's own words are codes and names of claims. */
export function logLoginFault(log: Logger, requestId: string, { reason, message }: LoginFailed): void {
  const fault = FAULT_OF[reason];
  const entry = { requestId, login: message };
  if (fault === 'customer') log.info(entry, 'a login failed');
  else if (fault === 'eID') log.warn(entry, 'a login failed at the eID');
  else log.error(entry, 'a login failed: the EID_ settings do not fit the eID');
}
