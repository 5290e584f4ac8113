import { z } from 'zod';
import { PAGE_BUDGET_MS, USUAL_SETTINGS } from '../../providers/port.ts';
import type { ProviderConnection } from '../../providers/auth/connection.ts';
import { describe, field, flag, label, line, newId, wholeNumber } from '../description.ts';

const ROLES = ['onboarding', 'platform'] as const;
const LOOKERS = ['onboarding', 'platform', 'support'] as const;

/** Of a booking system, without a slash at its end. */
export const address = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address.' })
  .transform((url) => url.replace(/\/$/, ''));

const variable = z
  .string()
  .regex(
    /^PROVIDER_[A-Z0-9_]+$/,
    'must be the NAME of an environment variable that begins with PROVIDER_, such as PROVIDER_NORDLYS_TOKEN; the secret itself is never given here.',
  )
  .optional();

const AUTHS = [
  'none',
  'bearer',
  'basic',
  'client_credentials',
  'backend_services',
] as const satisfies ProviderConnection['auth'][];

const words = line(2_000).optional();
const NAME = { placeholder: 'NAME' } as const;

/** How we authenticate to a booking system: a field for each of a connection (src/postgres/provider-connection.ts). */
export const connectionFields = {
  auth: field(z.enum(AUTHS).optional(), 'how we authenticate there', {
    label: 'Authentication',
    placeholder: 'how',
  }),
  tokenVariable: field(variable, 'bearer: which variable holds the token', NAME),
  username: field(words, 'basic: our name there', { placeholder: 'name' }),
  passwordVariable: field(variable, 'basic: which variable holds the password', NAME),
  tokenUrl: field(
    words,
    'client_credentials, backend_services: where tokens are issued; for backend_services it is looked up when left out',
    { placeholder: 'address' },
  ),
  clientId: field(words, 'client_credentials, backend_services: our id there', { placeholder: 'id' }),
  secretVariable: field(variable, 'client_credentials: which variable holds the secret', NAME),
  method: field(words, 'client_credentials: client_secret_basic (usual) or client_secret_post'),
  scope: field(words, 'client_credentials, backend_services: such as "system/Slot.rs"', {
    placeholder: 'scopes',
  }),
  audience: field(words, 'client_credentials: which of its services it is for', { placeholder: 'name' }),
  keyVariable: field(variable, 'backend_services: which variable holds our private key, a JWK', NAME),
  keyId: field(words, 'backend_services: which of our keys it is, when the JWK does not say', {
    placeholder: 'id',
  }),
};

const seconds = (longestMs: number) => {
  const rule = `must be seconds from 0.5 to ${longestMs / 1_000}.`;
  return z
    .number(rule)
    .min(0.5, rule)
    .max(longestMs / 1_000, rule)
    .optional();
};
const SECONDS = { placeholder: 'seconds' } as const;
const usual = (name: keyof typeof USUAL_SETTINGS) => `(${USUAL_SETTINGS[name] / 1_000} unless given)`;

const said = (what: string) => `${what}, in place of what its system says; "none": as that says (usual)`;
const TEXT = { placeholder: 'text' };
const telephone = z.string().regex(/^(\+?\d[\d ]{4,16}\d|none)$/, 'must be a telephone number');

/** How a provider is asked, and what customers read of it. */
export const settingsFields = {
  searchTimeout: field(
    seconds(PAGE_BUDGET_MS),
    `the limit of a search of free times: customers wait for it ${usual('searchTimeoutMs')}`,
    SECONDS,
  ),
  requestTimeout: field(
    seconds(30_000),
    `the limit of any one request ${usual('requestTimeoutMs')}`,
    SECONDS,
  ),
  metadataTimeout: field(
    seconds(60_000),
    `the limit of what a FHIR server says of itself: nobody waits for it, and without it more is asked ${usual('metadataTimeoutMs')}`,
    SECONDS,
  ),
  serviceOnSlots: field(
    flag.optional(),
    'fhir: every free time says its service itself, so no others are read',
    { negation: 'fhir: services are looked for on schedules and behind them, too (usual)' },
  ),
  unnamedService: field(
    line(50).optional(),
    'fhir: what free times are for whose service nobody says; "none": for nothing (usual)',
    { placeholder: 'treatment' },
  ),
  town: field(line(100).optional(), said('the town its times are in'), { placeholder: 'name' }),
  phone: field(telephone.optional(), said("the clinic's telephone"), { placeholder: 'number' }),
  instructions: field(line(1_000).optional(), said('what to bring, and how to find the way'), TEXT),
  videoInstructions: field(line(1_000).optional(), said('how to attend by video'), TEXT),
};

/** What a check may change at the clinic. */
export const checkFields = {
  write: field(
    flag.optional(),
    'also hold a free time for a moment, and release it again (the last free one, unless --slot says which)',
    { label: 'Hold a free time' },
  ),
  book: field(
    flag.optional(),
    'with --write: also book that time for a fictitious patient, and cancel it again; the cancelled appointments and the patient may remain visible',
    { label: 'Book it, too' },
  ),
  slot: field(line(500).optional(), "with --write: try it on this free time, by the clinic's own id", {
    label: 'Free time to try on',
    placeholder: 'id',
  }),
};

export const ABOUT_SECRETS =
  'Secrets are never given here: they are in environment variables, which the options name. With --token-variable alone, --auth is bearer; without any of these it is none.';

const id = field(line(50), 'which provider', { positional: true, of: 'provider' });
const OF_SYSTEM = 'of its booking system';
const registration = {
  unchecked: field(flag.optional(), 'do not try the booking system first'),
  ...checkFields,
  ...connectionFields,
  ...settingsFields,
};

export const providerList = describe({
  name: 'provider list',
  title: 'Clinics',
  summary: 'all providers, what they offer, and how many appointments are to come',
  roles: LOOKERS,
  changes: false,
  input: z.strictObject({}),
  examples: [['provider list', 'all of them']],
});

export const providerShow = describe({
  name: 'provider show',
  title: 'Clinic',
  summary: 'one provider and its problems; with --check, whether it passes the conformance check',
  roles: LOOKERS,
  roleWith: { field: 'write', role: 'onboarding' },
  changes: false,
  input: z.strictObject({
    id,
    check: field(flag.optional(), 'try its booking system, by reading only'),
    ...checkFields,
  }),
  examples: [
    ['provider show nordlys --check', 'does it answer, and what can it do?'],
    ['provider show nordlys --check --write', 'can times be held there?'],
  ],
});

export const providerProblems = describe({
  name: 'provider problems',
  title: 'Problems at clinics',
  summary: 'what is wrong at the providers: unreachable, unreadable entries, slots that stay busy',
  roles: LOOKERS,
  changes: false,
  input: z.strictObject({
    id: field(line(50).optional(), 'which provider; all when left out', {
      positional: true,
      of: 'provider',
    }),
  }),
  examples: [
    ['provider problems', 'at all of them'],
    ['provider problems nordlys', 'at one'],
  ],
  more: 'Each line counts from its first day, and is deleted 30 days after it was last seen. It holds no personal data. Slots that stay busy and bookings that were refused have a case each: `operator case list --attention`.',
});

export const providerAdd = describe({
  name: 'provider add',
  title: 'Register a clinic',
  summary: 'register a provider, once its booking system passes the conformance check',
  roles: ROLES,
  changes: true,
  input: z.strictObject({
    id: field(newId, 'short and permanent: used in cases, in the log and in Temporal', { positional: true }),
    name: field(label, 'what customers read'),
    url: field(address, `${OF_SYSTEM}, such as https://fhir.nordlys.example/r4`, {
      label: 'Address',
      placeholder: 'address',
    }),
    kind: field(line(50).default('fhir'), 'its protocol: fhir, or another that docs/providers.md names'),
    offer: field(z.array(line(50)).max(100).optional(), 'what it offers; may be given several times', {
      placeholder: 'treatment',
    }),
    ...registration,
  }),
  examples: [
    [
      'provider add nordlys --name "Nordlys Helse" --url https://fhir.nordlys.example/r4 --token-variable PROVIDER_NORDLYS_TOKEN --offer psychology --write',
      'a permanent token; holding a time is tried, too',
    ],
    [
      'provider add fjord --name Fjordklinikken --url https://fhir.fjord.example --auth client_credentials --token-url https://login.fjord.example/token --client-id booking --secret-variable PROVIDER_FJORD_SECRET',
      'OAuth 2.0 client credentials',
    ],
    [
      'provider add sol --name Solklinikken --url https://fhir.sol.example --auth backend_services --client-id booking --key-variable PROVIDER_SOL_KEY --scope "system/Slot.rs system/Appointment.cruds"',
      'SMART Backend Services',
    ],
  ],
  more: `${ABOUT_SECRETS} They must be set for the API, the worker and the operator API; a new one needs a restart of all.`,
});

export const providerChange = describe({
  name: 'provider change',
  title: 'Change the clinic',
  summary: "change a provider's name, address or credential",
  roles: ROLES,
  changes: true,
  input: z.strictObject({
    id,
    name: field(label.optional(), 'what customers read'),
    url: field(address.optional(), OF_SYSTEM, { label: 'Address', placeholder: 'address' }),
    ...registration,
  }),
  examples: [
    ['provider change nordlys --url https://fhir.nordlys.example/r5', 'its server has moved'],
    ['provider change nordlys --token-variable PROVIDER_NORDLYS_TOKEN_2', 'another token'],
    ['provider change nordlys --auth none', 'it needs no credential any more'],
  ],
  more: `What is not given stays; another --auth needs all of its options. ${ABOUT_SECRETS}`,
});

const treatments = (what: string) =>
  field(z.array(line(50)).min(1).max(100), what, { positional: true, placeholder: 'treatment' });

export const providerOffer = describe({
  name: 'provider offer',
  title: 'Offer treatments',
  summary: 'let a provider be booked for kinds of treatment',
  roles: ROLES,
  changes: true,
  input: z.strictObject({ id, treatments: treatments('codes, as `treatment list` shows them') }),
  examples: [['provider offer nordlys psychology physiotherapy', 'two kinds']],
});

export const providerWithdraw = describe({
  name: 'provider withdraw',
  title: 'Withdraw treatments',
  summary: 'stop booking a provider for kinds of treatment; existing bookings stay',
  roles: [...ROLES, 'support'],
  changes: true,
  input: z.strictObject({ id, treatments: treatments('codes, as `provider show` shows them') }),
  examples: [['provider withdraw nordlys physiotherapy', 'no longer offered there']],
});

export const providerRemove = describe({
  name: 'provider remove',
  title: 'Remove the clinic',
  summary: 'remove a provider where nothing was ever booked',
  roles: ROLES,
  changes: true,
  asks: true,
  input: z.strictObject({ id }),
  examples: [['provider remove nordlis', 'a typing error']],
});

const code = field(line(50), 'the kind of treatment', { positional: true, of: 'treatment' });
const newCode = z
  .string()
  .regex(/^[a-z][a-z_]{0,49}$/, 'must be made of a-z and _, up to 50 characters: psychology.');
/** A working day at most, as the table has it. */
const minutes = wholeNumber(1, 480).optional();

export const treatmentList = describe({
  name: 'treatment list',
  title: 'Kinds of treatment',
  summary: 'all kinds, and who offers them',
  roles: LOOKERS,
  changes: false,
  input: z.strictObject({}),
  examples: [['treatment list', 'all of them']],
});

export const treatmentAdd = describe({
  name: 'treatment add',
  title: 'Add a kind of treatment',
  summary: 'add a kind of treatment; partners can ask for it once a provider offers it',
  roles: ROLES,
  changes: true,
  input: z.strictObject({
    code: field(newCode, "the API's treatmentType, and the code by which clinics name the service", {
      positional: true,
    }),
    nb: field(label, 'what customers read in Norwegian', { label: 'Norwegian', placeholder: 'name' }),
    en: field(label, 'what customers read in English', { label: 'English', placeholder: 'name' }),
    minutes: field(minutes, 'free times that are shorter are not offered', { placeholder: 'number' }),
  }),
  examples: [
    ['treatment add occupational_therapy --nb Ergoterapi --en "Occupational therapy"', 'a new kind'],
  ],
});

export const treatmentMinutes = describe({
  name: 'treatment minutes',
  title: 'Set the shortest time',
  summary: 'set how long a free time must be at least; existing bookings stay',
  roles: ROLES,
  changes: true,
  input: z.strictObject({
    code,
    number: field(minutes, 'minutes; without it any length will do', { positional: true }),
  }),
  examples: [
    ['treatment minutes psychology 45', 'nothing shorter than 45 minutes'],
    ['treatment minutes psychology', 'any length'],
  ],
});
