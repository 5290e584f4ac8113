import { z } from 'zod';
import type { EidOptions } from '../identity/eid.ts';
import { STANDARD_CLAIMS } from '../identity/person.ts';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** An OpenID provider: of https, or on this machine. */
export const issuer = z
  .url({ protocol: /^https?$/ })
  .refine((text) => {
    const { protocol, hostname } = new URL(text);
    return protocol === 'https:' || LOOPBACK_HOSTS.includes(hostname);
  }, 'must be an https:// address, or one of this machine')
  .transform((text) => text.replace(/\/$/, ''));

export const claimName = (standard: string) =>
  z.string().regex(/^\S+$/, 'must be the name of one claim').default(standard);

export const scope = (usual: string) =>
  z
    .string()
    .default(usual)
    .refine((text) => words(text).includes('openid'), 'must have openid in it')
    .transform((text) => words(text).join(' '));

/** The national eID, as an OpenID Connect provider. docs/eid.md has them ready for the usual ones. */
export const eidVariables = {
  EID_ISSUER: issuer,
  EID_CLIENT_ID: z.string().min(1),
  EID_CLIENT_SECRET: z.string().min(1),
  EID_SCOPE: scope('openid profile'),
  /** Which login is asked for, in the eID's words; the eID may give another one. */
  EID_ACR_VALUES: z
    .string()
    .transform((text) => words(text).join(' '))
    .transform((text) => (text === '' ? undefined : text))
    .optional(),
  /** What the eID is to do with whom it remembers; `none` sends no `prompt`. */
  EID_PROMPT: z.enum(['login', 'select_account', 'none']).default('login'),
  /** How long ago the login at the eID may have been, in seconds; not asked for when left out. */
  EID_MAX_AGE: z.preprocess(
    (text) => (text === '' ? undefined : text),
    z.coerce.number().int().min(0).optional(),
  ),
  /** The claim that says how the login was done. */
  EID_ACR_CLAIM: claimName('acr'),
  /** Its values that are sure enough, with spaces between: everybody else is refused. */
  EID_ACR_ACCEPTED: z
    .string()
    .transform(words)
    .pipe(z.array(z.string()).min(1, 'must name what is sure enough, such as urn:bankid:bid;LOA=4')),
  /** The claim by which a person is the same next time; BankID: `bankid_altsub`. */
  EID_PERSON_CLAIM: claimName(STANDARD_CLAIMS.person),
  EID_GIVEN_NAME_CLAIM: claimName(STANDARD_CLAIMS.givenName),
  EID_FAMILY_NAME_CLAIM: claimName(STANDARD_CLAIMS.familyName),
  /** Looked at where one of the two is missing. */
  EID_FULL_NAME_CLAIM: claimName(STANDARD_CLAIMS.fullName),
  EID_BIRTH_DATE_CLAIM: claimName(STANDARD_CLAIMS.birthDate),
  /** What a logout ends: our own session (`here`), or the one at the eID too (`eid`). */
  EID_LOGOUT: z.enum(['here', 'eid']).default('here'),
};

type EidSettings = z.infer<z.ZodObject<typeof eidVariables>>;

/** Customers are matched on their names: who asks for none would refuse everybody. */
export function requireNameClaims(settings: EidSettings, ctx: z.RefinementCtx): void {
  const { EID_GIVEN_NAME_CLAIM, EID_FAMILY_NAME_CLAIM, EID_FULL_NAME_CLAIM } = settings;
  const both = [EID_GIVEN_NAME_CLAIM, EID_FAMILY_NAME_CLAIM];
  const ofProfile = [STANDARD_CLAIMS.givenName, STANDARD_CLAIMS.familyName, STANDARD_CLAIMS.fullName];
  const onlyProfileTells =
    both.some((name) => ofProfile.includes(name)) && ofProfile.includes(EID_FULL_NAME_CLAIM);
  if (!onlyProfileTells || words(settings.EID_SCOPE).includes('profile')) return;
  const message = `must have profile in it: without, the eID does not tell ${both.join(' and ')}`;
  ctx.addIssue({ code: 'custom', path: ['EID_SCOPE'], message });
}

/** The settings in the eID client's words. */
export const eidOptions = (settings: EidSettings & { readonly PUBLIC_URL: string }): EidOptions => ({
  issuer: settings.EID_ISSUER,
  clientId: settings.EID_CLIENT_ID,
  clientSecret: settings.EID_CLIENT_SECRET,
  scope: settings.EID_SCOPE,
  acrValues: settings.EID_ACR_VALUES,
  prompt: settings.EID_PROMPT,
  maxAgeSeconds: settings.EID_MAX_AGE ?? null,
  level: { claim: settings.EID_ACR_CLAIM, accepted: settings.EID_ACR_ACCEPTED },
  claims: {
    person: settings.EID_PERSON_CLAIM,
    givenName: settings.EID_GIVEN_NAME_CLAIM,
    familyName: settings.EID_FAMILY_NAME_CLAIM,
    fullName: settings.EID_FULL_NAME_CLAIM,
    birthDate: settings.EID_BIRTH_DATE_CLAIM,
  },
  redirectUri: `${settings.PUBLIC_URL}/eid/callback`,
  loggedOutUri: settings.EID_LOGOUT === 'eid' ? `${settings.PUBLIC_URL}/eid/logged-out` : null,
  // only where the issuer is on this machine, see above
  allowInsecure: settings.EID_ISSUER.startsWith('http:'),
});
