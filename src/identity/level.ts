import { LoginFailed } from './login-failed.ts';
import type { Claims } from './person.ts';

/** How surely it has to be known who logged in. `acr_values` only asks for that: the eID may answer with less. */
export interface LevelRule {
  /** The claim that says how the login was done: `acr`, or the eID's own. */
  readonly claim: string;
  /** What is good enough, in the eID's words. Levels have no order that holds at every eID, so all of them are named. */
  readonly accepted: readonly string[];
}

/** @throws {@link LoginFailed} `level_missing` or `level_too_low`, which name the claim and never what is in it */
export function requireLevel(claims: Claims, { claim, accepted }: LevelRule): void {
  const levels = levelsIn(claims, claim);
  if (levels.length === 0) throw new LoginFailed('level_missing', `no ${claim}`);
  if (!levels.some((level) => accepted.includes(level)))
    throw new LoginFailed('level_too_low', `by ${claim}`);
}

export const saysHow = (claims: Claims, { claim }: LevelRule): boolean => levelsIn(claims, claim).length > 0;

/** `amr` is a list of them. */
function levelsIn(claims: Claims, claim: string): string[] {
  const value: unknown = claims[claim];
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((level): level is string => typeof level === 'string' && level !== '');
}
