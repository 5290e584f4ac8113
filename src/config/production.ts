import type { z } from 'zod';
import { databaseAddress } from '../postgres/tls.ts';

/** Of the settings of any process, what is judged here: each process has some of them. */
interface Settings {
  readonly ENVIRONMENT: 'test' | 'production';
  readonly DATABASE_URL?: string;
  readonly DATABASE_DIRECT_URL?: string | undefined;
  readonly OPERATOR_DATABASE_URL?: string;
  readonly PARTNER_DATABASE_URL?: string;
  readonly TEMPORAL_ADDRESS?: string;
  readonly TEMPORAL_TLS?: boolean;
  readonly TEMPORAL_PAYLOAD_KEYS?: readonly { readonly key: Buffer }[] | null;
  readonly BACKEND_NETWORK: 'open' | 'encrypted';
  readonly PUBLIC_URL?: string;
  readonly EID_ISSUER?: string;
  readonly OPERATOR_API_URL?: string;
  readonly OPERATOR_OIDC_ISSUER?: string;
  readonly POLICY_REGISTRY_URL?: string | undefined;
  readonly REFERRAL_REGISTRY_URL?: string | undefined;
  readonly VAULT_ADDR?: string | undefined;
  readonly TWILIO_BASE_URL?: string | undefined;
  readonly ALERT_WEBHOOK_URL?: string | undefined;
  readonly ALERT_WEBHOOK_SECRET?: string | undefined;
  readonly SMTP_TLS?: 'required' | 'offered' | undefined;
  readonly SESSION_SECRETS?: readonly string[];
  readonly IDENTITY_SECRETS?: readonly { readonly secret: string }[];
  readonly OPERATOR_SESSION_SECRETS?: readonly string[];
  readonly OPERATOR_OIDC_CLIENT_SECRET?: string;
  readonly EID_CLIENT_SECRET?: string;
  readonly TWILIO_AUTH_TOKEN?: readonly string[];
}

/** Addresses that customers, operators, who they are, customers' data or keys go to, and what operators are told. */
const WEB_ADDRESSES = [
  'PUBLIC_URL',
  'EID_ISSUER',
  'OPERATOR_OIDC_ISSUER',
  'POLICY_REGISTRY_URL',
  'REFERRAL_REGISTRY_URL',
  'VAULT_ADDR',
  'TWILIO_BASE_URL',
  'ALERT_WEBHOOK_URL',
] as const;

const DATABASE_URLS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'PARTNER_DATABASE_URL',
  'OPERATOR_DATABASE_URL',
] as const;

/** Secrets that are made here, and not given to us. */
const OWN_SECRETS = ['SESSION_SECRETS', 'OPERATOR_SESSION_SECRETS', 'ALERT_WEBHOOK_SECRET'] as const;

/** Refuses in production what only a trial may do. */
export function refuseInProduction(settings: Settings, context: z.RefinementCtx): void {
  if (settings.ENVIRONMENT !== 'production') return;
  const refuse = (variable: keyof Settings, message: string) =>
    context.addIssue({ code: 'custom', path: [variable], message: `${message} in production` });

  for (const variable of WEB_ADDRESSES) {
    if (settings[variable]?.startsWith('http:')) refuse(variable, 'must be an https:// address');
  }
  const operators = settings.OPERATOR_API_URL;
  if (operators?.startsWith('http:') && !isOnThisMachine(new URL(operators).hostname))
    refuse('OPERATOR_API_URL', 'must be an https:// address, or one of the machine that operators work on,');
  if (settings.SMTP_TLS === 'offered')
    refuse('SMTP_TLS', 'must be required (or left out): mails to customers go over TLS');

  if (settings.TEMPORAL_PAYLOAD_KEYS === null)
    refuse('TEMPORAL_PAYLOAD_KEYS', 'must be given, or said to be off,');

  const own = [
    ...OWN_SECRETS.flatMap((variable) =>
      [settings[variable] ?? []].flat().map((secret) => [variable, secret] as const),
    ),
    ...(settings.IDENTITY_SECRETS ?? []).map(({ secret }) => ['IDENTITY_SECRETS', secret] as const),
    ...(settings.TEMPORAL_PAYLOAD_KEYS ?? []).map(
      ({ key }) => ['TEMPORAL_PAYLOAD_KEYS', key.toString('base64')] as const,
    ),
  ];
  const all = [
    ...own.map(([, secret]) => secret),
    settings.EID_CLIENT_SECRET,
    settings.OPERATOR_OIDC_CLIENT_SECRET,
    ...(settings.TWILIO_AUTH_TOKEN ?? []),
  ];
  for (const [variable, secret] of own) {
    if (bitsOf(secret) < MIN_BITS) refuse(variable, 'must be random (openssl rand -hex 32)');
    if (all.filter((other) => other === secret).length > 1)
      refuse(variable, 'must not be the same as another secret');
  }

  if (settings.BACKEND_NETWORK === 'encrypted') return;
  const unless = 'unless BACKEND_NETWORK=encrypted says that the network encrypts,';
  for (const variable of DATABASE_URLS) {
    const url = settings[variable];
    if (url !== undefined && !isOnThisMachine(new URL(url).hostname) && !databaseAddress(url).isVerified)
      refuse(variable, `must have ?sslmode=verify-full for a server on another machine, ${unless}`);
  }
  const temporal = settings.TEMPORAL_ADDRESS?.replace(/:\d+$/, '') ?? '';
  if (!isOnThisMachine(temporal) && !settings.TEMPORAL_TLS)
    refuse('TEMPORAL_TLS', `must be on for a server on another machine, ${unless}`);
}

/** No name is a socket of this machine's. */
const isOnThisMachine = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|)$/.test(host);

/** What 32 random hexadecimal digits have at the very least, and no word, repetition or row of the keyboard. */
const MIN_BITS = 80;

/**
 * How much there is to guess, from above: Shannon's entropy of the characters, or of the steps between them, whichever is
 * less, times their number. `aaaa…` has one character, and `abcd…` one step.
 */
function bitsOf(secret: string): number {
  const codes = Array.from(secret, (character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, i) => code - (codes[i] ?? 0));
  // what is repeated is to be guessed once
  const period = codes.findIndex((_, i) => i > 0 && codes.every((code, j) => code === codes[j % i]));
  const length = period > 0 ? period : codes.length;
  return Math.min(entropyOf(codes), entropyOf(steps)) * length;
}

/** In bits for each value. */
function entropyOf(values: readonly number[]): number {
  const counts = [...Map.groupBy(values, (value) => value).values()].map((same) => same.length);
  return counts.reduce((sum, count) => sum - (count / values.length) * Math.log2(count / values.length), 0);
}
