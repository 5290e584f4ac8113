import { MASTER_KEYS } from '../support/database.ts';

/** Of a login server where nobody listens, for suites that do without; in production, too, which takes none without TLS. */
export const LOGIN_SETTINGS = {
  OPERATOR_API_URL: 'http://127.0.0.1:9',
  MASTER_KEYS,
  OPERATOR_SESSION_SECRETS: 'a secret of the tests that is long enough',
  OPERATOR_OIDC_ISSUER: 'https://127.0.0.1:9',
  OPERATOR_OIDC_AUDIENCE: 'urn:operators',
  OPERATOR_OIDC_CLIENT_ID: 'back-office',
  OPERATOR_OIDC_CLIENT_SECRET: 'a client secret of the tests',
  OPERATOR_OIDC_CLI_CLIENT_ID: 'command-line',
};
