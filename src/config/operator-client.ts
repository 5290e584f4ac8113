import { homedir } from 'node:os';
import { join } from 'node:path';

/** Of the operator's command line, which is to start quickly: read without the rules that a service's settings have. */
export interface OperatorClientSettings {
  /** Of the operator API, without a trailing slash; null where it says nothing, or no address. */
  readonly url: string | null;
  /** Of the operator API's own socket, where this is its machine. */
  readonly socketPath: string | null;
  /** Where logins are kept, as the XDG base directory specification has it. */
  readonly loginFile: string;
}

export function readOperatorClientSettings(environment = process.env): OperatorClientSettings {
  const url = environment['OPERATOR_API_URL'] ?? '';
  return {
    url: /^https?:/.test(url) && URL.canParse(url) ? url.replace(/\/+$/, '') : null,
    socketPath: environment['OPERATOR_SOCKET'] || null,
    loginFile: join(
      environment['XDG_CONFIG_HOME'] || join(homedir(), '.config'),
      'treatment-booking',
      'logins.json',
    ),
  };
}
