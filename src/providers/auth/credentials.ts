import { Buffer } from 'node:buffer';
import { type ProviderConnection, UnusableConnection } from './connection.ts';
import { createTokenCache } from './token-cache.ts';
import { createTokenEndpoint } from './token-endpoint.ts';

/** What a booking system is shown with each request. */
export interface Credentials {
  /** The headers that say who we are. @throws ProviderUnavailable when no token is to be had now */
  readonly headers: () => Promise<Record<string, string>>;
  /** Told that `sent` was answered with 401. @returns whether the next headers are worth another try */
  readonly refused: (sent: Readonly<Record<string, string>>) => boolean;
}

export interface CredentialsOptions {
  /** Of the booking system. */
  readonly baseUrl: string;
  /** The value of an environment variable; null when it is not set. */
  readonly secretOf: (variable: string) => string | null;
  /** How long a token endpoint may take, in milliseconds. A customer waits behind it, with the request itself still to come. */
  readonly timeoutMs?: number;
}

/** @throws UnusableConnection when a secret is missing, or is not what it should be */
export function createCredentials(
  connection: ProviderConnection,
  { baseUrl, secretOf, timeoutMs = 3_000 }: CredentialsOptions,
): Credentials {
  const secret = (variable: string): string => {
    // what was read from a file ends with a line break
    const value = (secretOf(variable) ?? '').replace(/\r?\n$/, '');
    if (value === '') throw new UnusableConnection(`${variable} is not set`);
    return value;
  };
  switch (connection.auth) {
    case 'none':
      return { headers: async () => ({}), refused: () => false };
    case 'bearer':
      return readAgainWhenRefused(() => `Bearer ${headerValue(connection.tokenVariable, secret)}`);
    case 'basic':
      return readAgainWhenRefused(() => {
        const pair = `${connection.username}:${secret(connection.passwordVariable)}`;
        return `Basic ${Buffer.from(pair).toString('base64')}`;
      });
    case 'client_credentials':
    case 'backend_services': {
      const tokens = createTokenCache(createTokenEndpoint(connection, { baseUrl, secret, timeoutMs }));
      return {
        headers: async () => ({ authorization: `Bearer ${await tokens.get()}` }),
        refused({ authorization = '' }) {
          tokens.drop(authorization.replace('Bearer ', ''));
          return true;
        },
      };
    }
  }
}

/** A secret in a file may have been replaced since it was read. @throws UnusableConnection when there is none now */
function readAgainWhenRefused(read: () => string): Credentials {
  let authorization = read();
  return {
    headers: async () => ({ authorization }),
    refused(sent) {
      try {
        authorization = read();
      } catch (error) {
        if (!(error instanceof UnusableConnection)) throw error;
      }
      return authorization !== sent['authorization'];
    },
  };
}

/** With another character every request would fail, and say which value it was that is no header. */
function headerValue(variable: string, secret: (variable: string) => string): string {
  const value = secret(variable);
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new UnusableConnection(`${variable} is not a valid bearer token (printable ASCII, no spaces)`);
}
