import { z } from 'zod';
import { describe, field, flag, line, time, wholeNumber } from '../description.ts';

const ROLES = ['platform'] as const;

export const reconcile = describe({
  name: 'reconcile',
  title: 'Compare cases with their workflows',
  summary: 'compare cases with their workflows, and repair the projection that readers see',
  roles: ROLES,
  changes: true,
  asks: true,
  input: z.strictObject({
    full: field(flag.optional(), 'all of them, however long it takes; else the next 2,000 of the round'),
    workflowsWin: field(
      flag.optional(),
      'the workflows count also where many are behind what readers were shown; somebody else has to grant it',
    ),
    last: field(flag.optional(), 'compare nothing: show the last results'),
  }),
  looks: ({ last }) => last === true,
  fourEyes: ({ workflowsWin, full }) =>
    workflowsWin
      ? `${full ? 'All cases' : 'The next 2,000 cases of the round'} will be shown as their workflows have them, also where those are older than what readers saw.`
      : null,
  examples: [
    ['reconcile --last', 'what the workers found'],
    ['reconcile --full', 'after a backup was restored'],
    ['reconcile --full --workflows-win', 'where that was an older Temporal, and its state is to count'],
  ],
});

export const afterRestore = describe({
  name: 'after-restore',
  title: 'After a restore of the database',
  summary:
    'follow up that the database was put back from a backup: number events ahead, erase again, take over and tell what was lost',
  roles: ROLES,
  changes: true,
  asks: true,
  input: z.strictObject({
    since: field(
      time.optional(),
      'look for cases that were started since; safely before the time that was restored to. All that Temporal has when left out',
    ),
    erased: field(
      z.string('must be a string.').max(100_000, 'may have up to 100000 characters.').optional(),
      'ids of cases, one a line, that were erased after the time that was restored to; somebody else has to grant it',
      { file: true, multiline: true, placeholder: 'file' },
    ),
    again: field(flag.optional(), 'though it is the same database as when it was last followed up'),
  }),
  fourEyes: ({ erased }) =>
    erased === undefined
      ? null
      : `The restore will be followed up, and these cases erased: ${erased.trim().split(/\s+/).join(', ')}.`,
  examples: [
    ['after-restore --since "2026-11-24 09:00"', 'once PostgreSQL is back, and again when the workers run'],
    ['after-restore --erased erased.txt', 'erase what was erased in the hours that were lost'],
  ],
  more: 'Done twice it does nothing twice. docs/operations/recovery.md has the order of a restore.',
});

export const workerVersions = describe({
  name: 'worker versions',
  title: 'Worker versions',
  summary: 'all worker versions, and which one is current',
  roles: [...ROLES, 'support'],
  changes: false,
  input: z.strictObject({}),
  examples: [['worker versions', 'before and after an upgrade']],
});

export const workerPromote = describe({
  name: 'worker promote',
  title: 'Promote a worker version',
  summary: 'make this the current worker version, newer or older: all cases go to its workers',
  roles: ROLES,
  changes: true,
  input: z.strictObject({
    build: field(line(128), 'their TEMPORAL_WORKER_BUILD_ID; "unversioned" for those that have none', {
      positional: true,
    }),
  }),
  examples: [
    ['worker promote 2026-11-21', 'when its workers run, beside the old ones or in their place'],
    ['worker promote unversioned', 'back to workers without a TEMPORAL_WORKER_BUILD_ID'],
  ],
});

export const grant = describe({
  name: 'grant',
  title: 'What waits for a second person',
  summary: 'have done what another operator has asked for, within 15 minutes; without a number, what waits',
  // whoever may do it may grant it: judged by what was asked for
  roles: ['support', 'reveal', 'onboarding', 'platform', 'auditor'],
  changes: true,
  looks: ({ id }) => id === undefined,
  asks: true,
  input: z.strictObject({
    id: field(
      wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
      'its number, as whoever asked for it was told',
      { positional: true },
    ),
  }),
  examples: [
    ['grant', 'what waits for a second person'],
    ['grant 17', 'look at it, and have it done'],
  ],
});

export const whoami = describe({
  name: 'whoami',
  title: 'Who am I',
  summary: 'who you are here, and which roles you have',
  // whoever has any
  roles: ['support', 'reveal', 'onboarding', 'platform', 'auditor'],
  changes: false,
  input: z.strictObject({}),
  examples: [['whoami', 'before something is refused']],
});
