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

const within = {
  from: field(time.optional(), 'only since then: 2026-11-24, "2026-11-24 09:00"'),
  to: field(time.optional(), 'only before then'),
  limit: LIMIT,
};

export const accessCase = describe({
  name: 'access case',
  title: 'Who read a case',
  summary: 'who read a case, or tried to, from where and when, the newest first',
  roles: ['auditor'],
  changes: false,
  input: z.strictObject({
    case: field(line(200), "the case's id, at least its first 8 characters, or the partner's reference", {
      positional: true,
    }),
    ...within,
  }),
  choices: ['case'],
  examples: [['access case 3f2a9c1e', 'everybody who saw this case']],
});

export const accessBy = describe({
  name: 'access by',
  title: 'What somebody read',
  summary: 'what a key, a user, a customer or an operator read, the newest first',
  roles: ['auditor'],
  changes: false,
  input: z.strictObject({
    who: field(line(200), "the id of the key or of the partner's user, or the operator's subject", {
      positional: true,
    }),
    ...within,
  }),
  examples: [
    [
      'access by 6f1c0f0e-3a51-4f0b-9d8e-0c7f4f1f8a11 --from 2026-11-20 --to 2026-11-22',
      'what a key read in two days',
    ],
  ],
});

export const accessAddress = describe({
  name: 'access address',
  title: 'What an address touched',
  summary: "which cases were read, or asked for, from an address' network, by whom and how often",
  roles: ['auditor'],
  changes: false,
  input: z.strictObject({
    address: field(
      z.union([z.ipv4(), z.ipv6()], 'must be an IP address: 203.0.113.7.'),
      'an IP address; no more than its network is kept (IPv4 /24, IPv6 /48)',
      { positional: true, placeholder: 'address' },
    ),
    ...within,
  }),
  examples: [['access address 203.0.113.7 --from 2026-11-20', 'whose cases somebody there saw']],
});

export const accessVerify = describe({
  name: 'access verify',
  title: 'Check the logs',
  summary: "whether the access log and the operators' log are as they were written",
  roles: ['auditor'],
  changes: false,
  input: z.strictObject({}),
  examples: [['access verify', 'all three logs']],
  more: 'Each row is chained to the one before. It fails where a row was changed, taken away or put in; those that were dropped with age are before the first.',
});
