import type { Check } from './violation.ts';

const STATUSES = [200, 201, 400, 401, 403, 404, 429, 500];
/** 500s that say what is away, and what the caller may do. */
const TELLING = ['TEMPORARILY_UNAVAILABLE', 'PROVIDER_UNAVAILABLE', 'OUTCOME_UNKNOWN'];

/** P8: whatever is away, an answer is one of the contract's, and a 500 says which thing failed. */
export const errors: Check = ({ answers }) => {
  const wrong = answers.filter(
    ({ status, code }) => !STATUSES.includes(status) || (status === 500 && !TELLING.includes(code ?? '')),
  );
  const kinds = Map.groupBy(wrong, ({ call, status, code }) => `${call}: ${status} ${code}`);
  return [...kinds].map(([kind, its]) => ({
    promise: 'P8',
    caseId: null,
    expected: `${STATUSES.join(', ')}; a 500 with ${TELLING.join(', ')}`,
    seen: `${kind}, ${its.length} times`,
  }));
};
