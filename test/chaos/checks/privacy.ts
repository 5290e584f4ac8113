import { personalIn } from '../actors/marks.ts';
import type { Check } from './violation.ts';

/** P6: nothing personal in histories, in what Temporal shows, in logs and in error bodies. */
export const privacy: Check = ({ writings, answers }) => [
  ...writings.flatMap(({ where, text }) => {
    const found = personalIn(text);
    if (found === null) return [];
    const caseId = /case-([0-9a-f-]{36})/.exec(where)?.[1] ?? null;
    return [{ promise: 'P6', caseId, expected: `nothing personal in ${where}`, seen: found } as const];
  }),
  ...answers.flatMap(({ call, status, body }) => {
    const found = personalIn(body);
    if (found === null) return [];
    const expected = `nothing personal in an error of ${call}`;
    return [{ promise: 'P6', caseId: null, expected, seen: `${status}: ${found}` } as const];
  }),
];
