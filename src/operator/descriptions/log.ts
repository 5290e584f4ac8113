import { z } from 'zod';
import { describe, field, line, time, wholeNumber } from '../description.ts';

export const LIMIT = field(wholeNumber(1, 10_000).default(100), 'how many, the newest first');

export const log = describe({
  name: 'log',
  title: 'Log',
  summary: 'what operators did, and when, the newest first',
  roles: ['auditor'],
  changes: false,
  input: z.strictObject({
    case: field(line(200).optional(), 'only to this case'),
    by: field(line(200).optional(), 'only by this operator', { placeholder: 'name' }),
    action: field(line(100).optional(), 'only this, such as case.cancel or key.revoke'),
    since: field(time.optional(), 'only since then: 2026-11-24, "2026-11-24 09:00"'),
    limit: LIMIT,
  }),
  choices: ['case'],
  examples: [
    ['log --since 2026-11-24', 'everything since a day'],
    ['log --case 3f2a9c1e', 'who did what to a case'],
  ],
});
