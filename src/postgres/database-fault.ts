import { isDatabaseAway } from './is-away.ts';

/** `not_let_in`: user, password or database are not accepted; `not_migrated`: tables or columns are missing. */
export type DatabaseFault = 'away' | 'not_let_in' | 'not_migrated';

/** Why a query failed, where whoever runs the service can do something about it; null for anything else. */
export function databaseFault(thrown: unknown): DatabaseFault | null {
  for (const code of codesIn(thrown)) {
    if (/^(28...|3D000)$/.test(code)) return 'not_let_in';
    if (/^(42P01|42703|42883)$/.test(code)) return 'not_migrated';
  }
  return isDatabaseAway(thrown) ? 'away' : null;
}

function codesIn(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return [];
  const own = 'code' in thrown && typeof thrown.code === 'string' ? [thrown.code] : [];
  return [...own, ...codesIn(thrown.cause)];
}
