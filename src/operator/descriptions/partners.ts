import { z } from 'zod';
import {
  KEY_OVERLAP_HOURS,
  KEY_SCOPES,
  MAX_KEY_NETWORKS,
  MAX_KEY_OVERLAP_HOURS,
} from '../../domain/limits.ts';
import { describe, field, flag, label, line, newId, note, time, wholeNumber } from '../description.ts';

const ROLES = ['onboarding'] as const;
/** Whoever answers partners may look. */
const LOOKERS = ['onboarding', 'support'] as const;

const partner = field(line(50), "the partner's id", { positional: true, of: 'partner' });
const which = field(line(50), 'which partner', { positional: true, of: 'partner' });
const reason = field(note, 'why, for the log');

export const partnerAdd = describe({
  name: 'partner add',
  title: 'Register a partner',
  summary: 'register a partner',
  roles: ROLES,
  changes: true,
  input: z.strictObject({
    id: field(newId, 'short and permanent: used in the log, in Temporal and in every command', {
      positional: true,
    }),
    name: field(label, 'what customers read in messages and on pages'),
  }),
  examples: [['partner add fjordtrygd --name "Fjordtrygd Forsikring"', 'a new insurer']],
});

export const partnerList = describe({
  name: 'partner list',
  title: 'Partners',
  summary: 'all partners, and how many cases each has',
  roles: LOOKERS,
  changes: false,
  input: z.strictObject({}),
  examples: [['partner list', 'all of them']],
});

export const partnerRename = describe({
  name: 'partner rename',
  title: 'Rename',
  summary: 'give a partner another name; messages and pages have it from then on',
  roles: ROLES,
  changes: true,
  input: z.strictObject({ id: which, name: field(label, 'what customers read') }),
  examples: [['partner rename fjordtrygd --name "Fjordtrygd"', 'the insurer has a new name']],
});

export const partnerSuspend = describe({
  name: 'partner suspend',
  title: 'Suspend',
  summary: 'keep a partner out: all its keys and users at once; its cases and their customers go on',
  roles: ROLES,
  changes: true,
  asks: true,
  input: z.strictObject({ id: which, reason }),
  examples: [['partner suspend fjordtrygd --reason "a key was published"', 'at once']],
});

export const partnerResume = describe({
  name: 'partner resume',
  title: 'Let in again',
  summary: 'let a suspended partner in again: its keys as they are, its users by a new login',
  roles: ROLES,
  changes: true,
  input: z.strictObject({ id: which }),
  examples: [['partner resume fjordtrygd', 'what leaked is revoked']],
});

export const partnerReferences = describe({
  name: 'partner references',
  title: 'References in Temporal',
  summary: "how Temporal shows the partner's references of cases handed over from now on",
  roles: ROLES,
  changes: true,
  input: z.strictObject({
    id: which,
    show: field(z.enum(['plain', 'hashed']), 'as they are, or hashed by a key that only the database has', {
      placeholder: 'how',
    }),
  }),
  examples: [
    [
      'partner references fjordtrygd --show hashed',
      'their references say something of the person; commands on cases take the hash, too',
    ],
  ],
});

export const partnerRetention = describe({
  name: 'partner retention',
  title: 'How long personal data is kept',
  summary: "how many months the personal data of a partner's cases is kept after they are archived",
  roles: ROLES,
  changes: true,
  input: z.strictObject({
    id: which,
    months: field(wholeNumber(1, 120).optional(), 'left out: as long as the service keeps it', {
      placeholder: 'number',
    }),
  }),
  examples: [['partner retention fjordtrygd --months 6', 'what was agreed with them']],
});

export const partnerImport = describe({
  name: 'partner import',
  title: 'Hand over cases from a file',
  summary: 'hand over a file of cases for a partner, with a report of each line',
  roles: ROLES,
  changes: true,
  looks: ({ check }) => check,
  asks: true,
  input: z.strictObject({
    partner: which,
    file: field(
      z.string('must be a string.').min(1, 'must not be empty.'),
      'a CSV file (UTF-8) with a case a line; its first line names the fields as the API does',
      { positional: true, multiline: true, file: true, placeholder: 'file', label: 'Cases, as CSV' },
    ),
    check: field(flag.default(false), 'only say what would be done with each line'),
  }),
  examples: [
    ['partner import fjordtrygd cases.csv --check', 'what is wrong with which line'],
    ['partner import fjordtrygd cases.csv', 'an insurer begins, or a run that was interrupted goes on'],
  ],
  more: 'A line whose partnerCaseId and treatmentType the partner has a case for already, in whatever status, is left alone: a file can be handed over again, as a whole, after a fault was mended or the run was interrupted. Lines that are wrong are left out. Customers get their invitations as fast as the limits of messages let them.',
});

const email = field(line(254), 'whose account', { positional: true });

export const userAdd = describe({
  name: 'user add',
  title: 'Add a user',
  summary: 'create an account for somebody at a partner',
  roles: ROLES,
  changes: true,
  input: z.strictObject({ partner, email: field(line(254), 'with which they log in', { positional: true }) }),
  examples: [['user add fjordtrygd kim@fjordtrygd.example', 'then activate it']],
});

export const userList = describe({
  name: 'user list',
  title: 'Users',
  summary: 'who has an account at a partner',
  roles: LOOKERS,
  changes: false,
  input: z.strictObject({ partner }),
  examples: [['user list fjordtrygd', 'everybody there']],
});

export const userActivate = describe({
  name: 'user activate',
  title: 'Activate',
  summary: 'issue a one-time token to set a password with, valid for 72 hours',
  roles: ROLES,
  changes: true,
  asks: true,
  input: z.strictObject({ email }),
  examples: [
    ['user activate kim@fjordtrygd.example', 'a new account, a forgotten password, a lost telephone'],
  ],
  more: 'Asks first where a password is set: it ends at once, with the secret of the one-time codes and all sessions. Opens an account that too many failures have closed.',
});

export const userSuspend = describe({
  name: 'user suspend',
  title: 'Suspend',
  summary: "keep somebody out at once, logged in or not; the partner's keys stay valid",
  roles: ROLES,
  changes: true,
  asks: true,
  input: z.strictObject({ email, reason }),
  examples: [['user suspend kim@fjordtrygd.example --reason "a stolen laptop"', 'at once']],
});

export const userResume = describe({
  name: 'user resume',
  title: 'Let in again',
  summary: 'let somebody who is suspended log in again',
  roles: ROLES,
  changes: true,
  input: z.strictObject({ email }),
  examples: [['user resume kim@fjordtrygd.example', 'the laptop was found']],
});

export const userRemove = describe({
  name: 'user remove',
  title: 'Remove',
  summary: "close an account and end its sessions; the partner's keys stay valid",
  roles: ROLES,
  changes: true,
  asks: true,
  input: z.strictObject({ email }),
  examples: [['user remove kim@fjordtrygd.example', 'somebody has left']],
});

const key = field(line(100), "the key's id or its beginning, as `key list` shows them", { positional: true });
const expires = field(
  time.optional(),
  'when the key ends by itself: 2027-01-31, "2027-01-31 09:00"; a rotated one ends as the old one was to',
);

export const keyCreate = describe({
  name: 'key create',
  title: 'Create a key',
  summary: 'create a key for a partner; it is shown only once',
  roles: ROLES,
  changes: true,
  input: z.strictObject({
    partner,
    name: field(label, 'what the key is for, to tell it from others'),
    expires,
    scope: field(
      z
        .array(z.enum(KEY_SCOPES))
        .min(1)
        .default([...KEY_SCOPES]),
      'what it may do: read (GET) only, or write only; both when left out',
    ),
    network: field(
      z.array(line(50)).max(MAX_KEY_NETWORKS, `A key names at most ${MAX_KEY_NETWORKS} networks.`).optional(),
      'from where it is good, such as 192.0.2.0/24; may be given several times; from everywhere when left out',
      { placeholder: 'cidr' },
    ),
  }),
  examples: [
    ['key create fjordtrygd --name "claims system"', 'its first key'],
    ['key create fjordtrygd --name statistics --scope cases:read --network 192.0.2.0/24', 'bounded'],
  ],
});

export const keyList = describe({
  name: 'key list',
  title: 'API keys',
  summary: "a partner's keys, the live ones first; never the keys themselves",
  roles: LOOKERS,
  changes: false,
  input: z.strictObject({ partner }),
  examples: [['key list fjordtrygd', 'all of them']],
});

export const keyRotate = describe({
  name: 'key rotate',
  title: 'Rotate',
  summary: 'create a new key in place of one, which stays valid for a while',
  roles: ROLES,
  changes: true,
  input: z.strictObject({
    partner,
    key,
    overlapHours: field(
      wholeNumber(0, MAX_KEY_OVERLAP_HOURS).default(KEY_OVERLAP_HOURS),
      `how long the old key stays valid, at most ${MAX_KEY_OVERLAP_HOURS}; 0 ends it at once`,
      { placeholder: 'hours' },
    ),
    expires,
  }),
  choices: ['key'],
  examples: [['key rotate fjordtrygd tb_test_Q3xZ --overlap-hours 48', 'two days to switch']],
});

export const keyRevoke = describe({
  name: 'key revoke',
  title: 'Revoke',
  summary: 'end a key at once',
  roles: ROLES,
  changes: true,
  asks: true,
  input: z.strictObject({ partner, key }),
  choices: ['key'],
  examples: [['key revoke fjordtrygd tb_test_Q3xZ', 'a key that was leaked']],
});
