import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  StatementTimeoutError,
} from 'slonik';

/** By class: all of slonik's errors have the same name. */
const AWAY = [
  ConnectionError,
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  StatementTimeoutError,
];
// Node's socket errors; PostgreSQL's classes 08 (connection), 53 (resources), 57P (shutting down or starting).
const AWAY_CODES = /^(ECONN\w+|EPIPE|ETIMEDOUT|ENOENT|08\w{3}|53\w{3}|57P\w{2}|25006)$/;

/** Whether a query failed because the database can not be reached or does not answer: trying again later is right. */
export function isDatabaseAway(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (AWAY.some((kind) => thrown instanceof kind)) return true;
  // pg's own, which has no code: nothing was answered
  if (thrown.message === 'Query read timeout') return true;
  if ('code' in thrown && typeof thrown.code === 'string' && AWAY_CODES.test(thrown.code)) return true;
  return thrown.cause !== undefined && isDatabaseAway(thrown.cause);
}
