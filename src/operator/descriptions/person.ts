import { z } from 'zod';
import { describe, field, flag, line, note } from '../description.ts';
import { LIMIT } from './logs.ts';

const ROLES = ['reveal'] as const;

const whose = {
  case: field(z.uuid('must be the whole id of a case.'), "the whole id of one of the person's cases", {
    positional: true,
    placeholder: 'id',
  }),
  everywhere: field(flag.optional(), 'also all other cases that the same person logged in to, by the eID'),
};
const ticket = field(line(100), 'which ticket or letter it is for', { placeholder: 'id' });

export const personExport = describe({
  name: 'person export',
  title: 'Give a person their data',
  summary: 'all that is kept of a case, for the person whose it is; shows personal data, and is logged',
  roles: ROLES,
  changes: true,
  input: z.strictObject({ ...whose, ticket }),
  examples: [
    ['person export 3f2a9c1e-… --ticket 4711 --json > person.json', 'what the person is sent'],
    ['person export 3f2a9c1e-… --everywhere --ticket 4711 --json', 'of all their cases'],
  ],
  more: 'Make sure first that whoever asks is the person. What is given is made from the catalogue of columns (src/postgres/columns.ts).',
});

export const personErase = describe({
  name: 'person erase',
  title: 'Erase a person’s data',
  summary: 'erase all that is personal of archived cases, in backups too; somebody else has to grant it',
  roles: ROLES,
  changes: true,
  asks: true,
  input: z.strictObject({ ...whose, ticket }),
  fourEyes: ({ case: caseId, everywhere }) =>
    `All that is kept of case ${caseId}${everywhere ? ', and of every other case of the same person,' : ''} will be erased, in backups too. Its partner is told, and nobody finds it any more.`,
  examples: [
    ['person erase 3f2a9c1e-… --ticket 4711', 'an archived case'],
    ['person erase 3f2a9c1e-… --everywhere --ticket 4711', 'all cases of the person'],
  ],
  more: 'A case that goes on is recalled and archived before. One under a legal hold is not erased.',
});

export const personHold = describe({
  name: 'person hold',
  title: 'Keep from being erased',
  summary: 'put a legal hold on a case, which keeps it from being erased, or lift it',
  roles: ROLES,
  changes: true,
  input: z.strictObject({
    ...whose,
    reason: field(note, "why; kept in the operators' log"),
    lift: field(flag.optional(), 'the hold is over'),
  }),
  examples: [
    ['person hold 3f2a9c1e-… --reason "a dispute, ticket 4711"', 'until it is lifted'],
    ['person hold 3f2a9c1e-… --lift --reason "settled"', 'from then on its time counts again'],
  ],
});

export const personErasures = describe({
  name: 'person erasures',
  title: 'What was erased',
  summary: 'which cases were erased, when, why and by whom, the latest first',
  roles: ['auditor', ...ROLES],
  changes: false,
  input: z.strictObject({ limit: LIMIT }),
  examples: [['person erasures', 'the latest']],
});

export const personReapplyErasures = describe({
  name: 'person reapply-erasures',
  title: 'Erase again after a restore',
  summary: 'erase again what was erased, and an older backup has brought back',
  roles: ['platform'],
  changes: true,
  asks: true,
  input: z.strictObject({}),
  examples: [['person reapply-erasures', 'after a restore; `after-restore` does it, too']],
  more: 'The list is in the schema of the keys, of which the newest backup is restored.',
});

export const personKeys = describe({
  name: 'person keys',
  title: 'Which keys are in use',
  summary: 'by which identity secrets people are known, and by which master keys cases’ keys are wrapped',
  roles: ['platform'],
  changes: false,
  input: z.strictObject({}),
  examples: [['person keys', 'before an old one is taken out']],
});

export const personRewrapKeys = describe({
  name: 'person rewrap-keys',
  title: 'Wrap by the newest master key',
  summary: 'wrap cases’ keys by the newest master key, so that the older ones can go',
  roles: ['platform'],
  changes: true,
  input: z.strictObject({}),
  examples: [['person rewrap-keys', 'when all processes have the new master key first']],
});
