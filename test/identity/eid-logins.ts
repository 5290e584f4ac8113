import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import type { Provider } from 'oidc-provider';
import { EID_PROFILES, type EidProfile, parseForm, personFrom } from '../../dev/eid/person.ts';
import { createProvider } from '../../dev/eid/provider.ts';
import { createStorage } from '../../dev/eid/storage.ts';
import { type CaseId, parseCaseId } from '../../src/domain/ids.ts';
import { createEid, type Eid, type EidOptions, type PendingLogin } from '../../src/identity/eid.ts';
import { LoginFailed, type LoginFailure } from '../../src/identity/login-failed.ts';
import { STANDARD_CLAIMS } from '../../src/identity/person.ts';
import { type Answer, logInAt } from './eid-visitor.ts';

export const CASE_ID = parseCaseId('6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d') as CaseId;
export const REDIRECT = 'http://127.0.0.1:9/eid/callback';
/** As the sandbox's eID says it. */
export const HIGH = 'urn:bankid:bid;LOA=4';
export const CLIENT = { clientId: 'booking', clientSecret: 'sec ret:+%' };

export const clientOf = (issuer: string, options: Partial<EidOptions> = {}): Eid =>
  createEid({
    ...CLIENT,
    redirectUri: REDIRECT,
    issuer,
    scope: 'openid profile',
    claims: STANDARD_CLAIMS,
    level: { claim: 'acr', accepted: [HIGH] },
    prompt: 'login',
    maxAgeSeconds: null,
    allowInsecure: true,
    ...options,
  });

/** Goes to the eID, answers there, and comes back, up to the callback. */
export async function logIn(
  eid: Eid,
  answer: Answer,
): Promise<{ authorizationUrl: string; pending: PendingLogin; callback: URL }> {
  const begun = await eid.begin(CASE_ID);
  return { ...begun, callback: await logInAt(begun.authorizationUrl, REDIRECT, answer) };
}

/** The login's failure; fails the test when there was none, or one of another kind. */
export const reasonOf = async (attempt: Promise<unknown>): Promise<LoginFailure> =>
  (await failureOf(attempt)).reason;

export async function failureOf(attempt: Promise<unknown>): Promise<LoginFailed> {
  const failure: unknown = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof LoginFailed)) throw new Error('not a LoginFailed', { cause: failure });
  // neither names, codes, secrets nor URLs
  expect(failure.message).toMatch(/^[\w ()-]+$/);
  expect(failure.message).not.toMatch(/Kari|Nordmann/);
  expect(failure).not.toHaveProperty('cause');
  return failure;
}

/**
 * `overloaded`: answers every request with a 503; `silent`: takes it, and never answers; `slow`: takes 0.4 s each;
 * `unsigned`: does not publish the key that it signs with.
 */
export type Mood = 'well' | 'overloaded' | 'silent' | 'slow' | 'unsigned';
const SLOW_MS = 400;

export interface OddEid {
  readonly issuer: string;
  /** How it takes requests from here on. */
  become(mood: Mood): void;
  stop(): Promise<void>;
}

export interface OddEidOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** What the eID knows about whoever logs in, besides the subject and how the login was done. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly tellIn: EidProfile['claimsIn'];
  /** How the login was done; not a word of it when null. */
  readonly level: string | null;
  /** How long ago it was done (seconds), whatever was asked for; not a word of it when null. */
  readonly loggedInAgo?: number | null;
}

const WHOEVER = personFrom(parseForm({}));

/**
 * The sandbox's eID with the claims of the test's choice, wherever they come from: what the eID itself, which always knows
 * a name, can't show. Its login form asks nothing.
 */
export async function startOddEid(options: OddEidOptions): Promise<OddEid> {
  const { clientId, clientSecret, redirectUri, claims, tellIn, level, loggedInAgo = 0 } = options;
  let mood: Mood = 'well';
  let provider: Provider | undefined = undefined;
  const server = createServer((request, response) => {
    if (mood === 'silent') return;
    if (mood === 'slow') setTimeout(() => answer(request, response), SLOW_MS);
    else answer(request, response);
  });
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (mood === 'overloaded' || !provider) response.writeHead(503).end();
    else if (mood === 'unsigned' && request.url === '/jwks') response.end('{"keys":[]}');
    else if (request.url?.startsWith('/login/')) {
      const ts = Math.floor(Date.now() / 1000) - (loggedInAgo ?? 0);
      void interact(provider, { level, ts }, request, response);
    } else {
      // what would have it ask anew, or tell the time
      const unheeded = loggedInAgo === null ? /&(max_age|prompt)=\w+/g : /&max_age=\w+/;
      request.url = request.url?.replace(unheeded, '');
      void provider.callback()(request, response);
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const profile: EidProfile = {
    ...EID_PROFILES.bankid,
    scopes: { openid: ['sub', ...(level === null ? [] : ['acr'])], profile: Object.keys(claims) },
    claimsIn: tellIn,
    claimsOf: () => claims,
  };
  const people = new Map([[WHOEVER.sub, WHOEVER]]);
  const client = { clientId, clientSecret, redirectUris: [redirectUri] };
  const tellsAuthTime = loggedInAgo !== null;
  const storage = createStorage();
  provider = await createProvider({ ...client, issuer, profile, people, storage, tellsAuthTime });
  return {
    issuer,
    become: (next) => void (mood = next),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function interact(
  provider: Provider,
  { level, ts }: { level: string | null; ts: number },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET') {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<form method="post" action="${request.url ?? ''}"><button>Log in</button></form>`);
    return;
  }
  request.resume();
  const login = { accountId: WHOEVER.sub, ts, ...(level !== null && { acr: level }) };
  await provider.interactionFinished(request, response, { login });
}
