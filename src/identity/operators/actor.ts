/** What operators are let do, as docs/contract.md §8 divides it. One has any number of them. */
export const ROLES = ['support', 'reveal', 'onboarding', 'platform', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

/** Who does something as an operator, as proved: never by their own word, except where `via` is `break_glass`. */
export interface Actor {
  /** By which the identity provider knows them for good: an opaque text, unique there. */
  readonly subject: string;
  /** As people know them, for the log. */
  readonly name: string;
  readonly roles: readonly Role[];
  /** `break_glass`: over the operator API's own socket, without a login. Then the name is what the system's user is called. */
  readonly via: 'token' | 'session' | 'break_glass';
}

interface Denial {
  readonly status: 400 | 401 | 403 | 503;
  /** The error of RFC 6750 section 3.1 in `WWW-Authenticate`; null where nothing was presented. */
  readonly challenge: 'invalid_token' | 'insufficient_scope' | null;
  readonly message: string;
}

/** Why somebody is not let in, in words of its own for each. */
const DENIALS = {
  LOGIN_REQUIRED: {
    status: 401,
    challenge: null,
    message: 'Nobody is logged in here. Log in first: `operator login`.',
  },
  LOGIN_EXPIRED: {
    status: 401,
    challenge: 'invalid_token',
    message: 'The access token has expired. Get another one, or log in again: `operator login`.',
  },
  LOGIN_INVALID: {
    status: 401,
    challenge: 'invalid_token',
    message:
      'The access token is not one that the identity provider has signed as it is. Log in again: `operator login`.',
  },
  LOGIN_FOREIGN: {
    status: 401,
    challenge: 'invalid_token',
    message:
      'The access token is for another service, or from another identity provider. Log in here: `operator login`.',
  },
  ROLE_MISSING: {
    status: 403,
    challenge: 'insufficient_scope',
    message: 'You have no role here that allows it. Whoever administers the identity provider gives roles.',
  },
  LOGIN_CANCELLED: {
    status: 400,
    challenge: null,
    message: 'The login was cancelled at the identity provider. Nobody is logged in.',
  },
  LOGIN_FAILED: {
    status: 400,
    challenge: null,
    message:
      'The login was not finished: it took too long, was finished before, or began in another browser. Log in again.',
  },
  LOGIN_UNAVAILABLE: {
    status: 503,
    challenge: null,
    message:
      'The identity provider can not be reached, so nobody can be let in who is not already. Try again later.',
  },
  LOGIN_MISCONFIGURED: {
    status: 503,
    challenge: null,
    message:
      'The identity provider does not take our requests: the settings here (OPERATOR_OIDC_…) and the registration there do not fit.',
  },
} as const satisfies Readonly<Record<string, Denial>>;

export type DenialCode = keyof typeof DENIALS;

/** Somebody is not let in, or not let do something. Neither message nor detail holds anything of a token. */
export class Denied extends Error {
  override readonly name = 'Denied';
  readonly code: DenialCode;
  readonly status: Denial['status'];
  /** What is wrong in the protocol's words, for the log. */
  readonly detail: string | undefined;

  /** @param message instead of the code's usual one */
  constructor(code: DenialCode, { detail, message }: { detail?: string; message?: string } = {}) {
    super(message ?? DENIALS[code].message);
    this.code = code;
    this.status = DENIALS[code].status;
    this.detail = detail;
  }

  /** The value of `WWW-Authenticate` (RFC 6750 section 3), which a 401 and a 403 come with; null for others. */
  get challenge(): string | null {
    const { status, challenge } = DENIALS[this.code];
    if (status === 400 || status === 503) return null;
    return challenge === null ? 'Bearer realm="operator"' : `Bearer realm="operator", error="${challenge}"`;
  }
}
