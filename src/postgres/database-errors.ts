import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  StatementTimeoutError,
} from 'slonik';

/** By class: all of slonik's errors have the same name. */
const CONNECTION_ERRORS = [
  ConnectionError,
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  StatementTimeoutError,
];
// Node's socket errors; PostgreSQL's classes 08 (connection), 53 (resources), 57P (shutting down or starting).
const CONNECTION_ERROR_CODES = /^(ECONN\w+|EPIPE|ETIMEDOUT|ENOENT|08\w{3}|53\w{3}|57P\w{2}|25006)$/;

/** Whether a query failed because the database can not be reached or does not answer: trying again later is right. */
export function isDatabaseUnreachable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (CONNECTION_ERRORS.some((kind) => thrown instanceof kind)) return true;
  // pg's own, which has no code: nothing was answered
  if (thrown.message === 'Query read timeout') return true;
  if ('code' in thrown && typeof thrown.code === 'string' && CONNECTION_ERROR_CODES.test(thrown.code))
    return true;
  return thrown.cause !== undefined && isDatabaseUnreachable(thrown.cause);
}

/**
 * `not_let_in`: user, password or database are not accepted; `tls`: its certificate is not trusted, or it has no TLS;
 * `not_migrated`: tables or columns are missing; `read_only`: it takes no writes, as during a failover.
 */
export type DatabaseFault = 'away' | 'not_let_in' | 'tls' | 'not_migrated' | 'read_only';

/** OpenSSL's and Node's words for a certificate that is not taken. */
const CERTIFICATE_CODES =
  /^(ERR_TLS_CERT_\w+|UNABLE_TO_\w+|CERT_\w+|\w+_SIGNED_CERT(_IN_CHAIN)?|HOSTNAME_MISMATCH)$/;

/** Why a query failed, where whoever runs the service can do something about it; null for anything else. */
export function databaseFaultOf(thrown: unknown): DatabaseFault | null {
  for (const code of codesIn(thrown)) {
    if (/^(28...|3D000)$/.test(code)) return 'not_let_in';
    if (/^(42P01|42703|42883)$/.test(code)) return 'not_migrated';
    if (CERTIFICATE_CODES.test(code)) return 'tls';
    if (code === '25006') return 'read_only';
  }
  // pg's own and slonik's, without a code
  if (thrown instanceof Error && /does not support SSL|SSL root certificate/.test(thrown.message))
    return 'tls';
  return isDatabaseUnreachable(thrown) ? 'away' : null;
}

function codesIn(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return [];
  const own = 'code' in thrown && typeof thrown.code === 'string' ? [thrown.code] : [];
  return [...own, ...codesIn(thrown.cause)];
}
