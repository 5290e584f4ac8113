import { readFileSync } from 'node:fs';
import { type ClientConfigProfile, loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig';

/** Where Temporal is, by what TLS and with what credentials: the same for clients and workers. */
export interface TemporalConnection {
  /** `host:port` */
  readonly address: string;
  readonly tls?: boolean | TemporalTls;
  /** For a server that asks for one; over TLS only. */
  readonly apiKey?: string;
  /** What each call carries besides. */
  readonly metadata?: Record<string, string>;
}

interface TemporalTls {
  readonly serverNameOverride?: string;
  readonly serverRootCACertificate?: Buffer;
  readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
}

/** Of the environment; TEMPORAL_TLS `off` is as if it was left out, so that nothing that asks for TLS goes without. */
const VARIABLES = [
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_API_KEY',
  'TEMPORAL_PROFILE',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_NAME',
] as const;

/** As they are given, or as settings have them. */
type Values = Readonly<
  Partial<Record<(typeof VARIABLES)[number] | 'TEMPORAL_CONFIG_FILE' | 'TEMPORAL_TLS', unknown>>
>;

/** As it is given, or as settings have it. */
export const isTlsOn = (value: unknown): boolean => value === 'on' || value === 'true' || value === true;

/** A profile or one of its files can't be read; the message begins with the rest of a variable's name, and quotes nothing. */
export class WrongProfile extends Error {
  override readonly name = 'WrongProfile';
}

/**
 * Temporal's own reading of its variables and of the profile in the file of TEMPORAL_CONFIG_FILE (no other file is looked
 * for): variables come first.
 *
 * @throws WrongProfile
 * @see https://docs.temporal.io/develop/environment-configuration
 */
function connect(values: Values) {
  const given = Object.fromEntries(
    VARIABLES.map((name) => [name, values[name]]).filter(([, value]) => value),
  ) as Record<string, string>;
  const file = values.TEMPORAL_CONFIG_FILE;
  let profile: ClientConfigProfile;
  try {
    profile = loadClientConfigProfile({
      // a file that is not there would be as good as an empty one
      ...(typeof file === 'string' && file !== ''
        ? { configSource: { data: readFileSync(file, 'utf8') } }
        : { disableFile: true }),
      configFileStrict: true,
      overrideEnvVars: { ...given, ...(isTlsOn(values.TEMPORAL_TLS) ? { TEMPORAL_TLS: 'true' } : {}) },
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new WrongProfile(
      /^E[A-Z]+$/.test(code ?? '')
        ? `CONFIG_FILE: can not be read (${code})`
        : 'CONFIG_FILE: has no such profile, or is none of Temporal’s',
    );
  }
  if (!profile.tls?.clientCert !== !profile.tls?.clientKey)
    throw new WrongProfile('TLS_CLIENT_CERT_PATH: must be given together with TEMPORAL_TLS_CLIENT_KEY_PATH');
  try {
    return toClientOptions(profile);
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw new WrongProfile(`TLS_CLIENT_CERT_PATH: a file of it or its neighbours can not be read (${code})`);
  }
}

/** The variables as they are with what the profile says. @throws WrongProfile */
export function variablesOfProfile(values: Values) {
  const { namespace, connectionOptions } = connect(values);
  const { address, apiKey, tls } = connectionOptions;
  return {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_API_KEY: apiKey,
    // what nobody can mean stays, for the settings to refuse
    TEMPORAL_TLS: tls ? 'on' : values.TEMPORAL_TLS,
  };
}

/** For clients and workers alike; files are read now. @throws WrongProfile */
export function temporalConnection(
  settings: Values & { readonly TEMPORAL_ADDRESS: string },
): TemporalConnection {
  const { apiKey, metadata, tls } = connect(settings).connectionOptions;
  return {
    address: settings.TEMPORAL_ADDRESS,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(metadata === undefined ? {} : { metadata: metadata as Record<string, string> }),
    tls: typeof tls === 'object' && tls !== null ? tlsOf(tls) : Boolean(tls),
  };
}

/** With what gRPC takes: no bytes but Buffers, and nothing that is there and undefined. */
function tlsOf(tls: {
  readonly serverNameOverride?: string | undefined;
  readonly serverRootCACertificate?: Uint8Array | undefined;
  readonly clientCertPair?: { readonly crt: Uint8Array; readonly key: Uint8Array } | undefined;
}): TemporalTls {
  const { serverNameOverride, serverRootCACertificate, clientCertPair } = tls;
  return {
    ...(serverNameOverride ? { serverNameOverride } : {}),
    ...(serverRootCACertificate ? { serverRootCACertificate: Buffer.from(serverRootCACertificate) } : {}),
    ...(clientCertPair
      ? { clientCertPair: { crt: Buffer.from(clientCertPair.crt), key: Buffer.from(clientCertPair.key) } }
      : {}),
  };
}
