/**
 * How a booking system is shown who we are. `…Variable` is the NAME of an environment variable: a secret itself is in no
 * registration, and so in no database, backup or list.
 */
export type ProviderConnection =
  | { readonly auth: 'none' }
  /** A token for good, which somebody at the provider issued. */
  | { readonly auth: 'bearer'; readonly tokenVariable: string }
  | { readonly auth: 'basic'; readonly username: string; readonly passwordVariable: string }
  | ClientCredentials
  | BackendServices;

/** OAuth 2.0 client credentials (RFC 6749 §4.4). */
export interface ClientCredentials {
  readonly auth: 'client_credentials';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly secretVariable: string;
  /** Whether the token endpoint wants the secret in a header, as RFC 6749 has it, or in the form. */
  readonly method?: 'client_secret_basic' | 'client_secret_post' | undefined;
  readonly scope?: string | undefined;
  /** For authorization servers that serve several APIs. */
  readonly audience?: string | undefined;
}

/** SMART Backend Services: client credentials, with an assertion signed by our key in place of a secret. */
export interface BackendServices {
  readonly auth: 'backend_services';
  /** Asked for at `.well-known/smart-configuration` of the FHIR server when left out: then it is at that server, too. */
  readonly tokenUrl?: string | undefined;
  readonly clientId: string;
  /** Names the variable with the private key: one JWK, as JSON. */
  readonly keyVariable: string;
  /** Which of our registered keys it is; the JWK's own `kid` when left out. */
  readonly keyId?: string | undefined;
  /** E.g. `system/Slot.rs system/Appointment.cruds`. */
  readonly scope: string;
}

/** A registration that can not work as it is. Its message is for the operator: names of variables, never their values. */
export class UnusableConnection extends Error {
  override readonly name = 'UnusableConnection';
}
