import { Buffer } from 'node:buffer';
import type { ProviderConnection } from './connection.ts';

/** What a booking system is shown with each request. */
export interface Credentials {
  /** The headers that say who we are. @throws ProviderUnavailable when no token is to be had now */
  headers(): Promise<Record<string, string>>;
  /** Told that `sent` was answered with 401. @returns whether it is worth another try: there will be other headers */
  refused(sent: Readonly<Record<string, string>>): boolean;
}

export interface CredentialsOptions {
  /** Of the booking system. */
  readonly baseUrl: string;
  /** The value of an environment variable; null when it is not set. */
  readonly secretOf: (variable: string) => string | null;
}

/** A registration that can not work as it is. Its message is for the operator: names of variables, never their values. */
export class UnusableConnection extends Error {
  override readonly name = 'UnusableConnection';
}

/** @throws UnusableConnection when a secret is missing, or is not what it should be */
export function createCredentials(
  connection: ProviderConnection,
  { secretOf }: CredentialsOptions,
): Credentials {
  const secret = (variable: string): string => {
    const value = secretOf(variable);
    if (value === null || value === '') throw new UnusableConnection(`${variable} is not set`);
    return value;
  };
  switch (connection.auth) {
    case 'none':
      return always({});
    case 'bearer':
      return always({ authorization: `Bearer ${secret(connection.tokenVariable)}` });
    case 'basic': {
      const pair = `${connection.username}:${secret(connection.passwordVariable)}`;
      return always({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    }
    case 'client_credentials':
    case 'backend_services':
      throw new UnusableConnection(`${connection.auth} is not known`);
  }
}

/** A header can hold printable ASCII only; another character would make every request fail, with its value in the error. */
function always(headers: Readonly<Record<string, string>>): Credentials {
  return { headers: async () => ({ ...headers }), refused: () => false };
}
