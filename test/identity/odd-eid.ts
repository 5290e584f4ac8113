import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface OddEid {
  readonly issuer: string;
  /** Requests from here on are answered with a 503, as by a server that is overloaded; false mends it. */
  overload(on: boolean): void;
  stop(): Promise<void>;
}

/**
 * A real OpenID Connect server with the claims of the test's choice, wherever they come from: what the sandbox's eID, which
 * always knows a name, can't show. Its login form asks nothing.
 */
export async function startOddEid(options: {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  /** What the eID knows about whoever logs in, besides the subject. */
  claims: Record<string, string>;
  /** Where it tells: many eIDs answer with names at the userinfo endpoint only. */
  tellIn: 'id_token' | 'userinfo';
}): Promise<OddEid> {
  const state: { provider: Provider | null; overloaded: boolean } = { provider: null, overloaded: false };
  const server = createServer((request, response) => {
    if (state.provider === null || state.overloaded) response.writeHead(503).end();
    else if (request.url?.startsWith('/interaction/')) void interact(state.provider, request, response);
    else void state.provider.callback()(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  state.provider = newProvider(issuer, options);
  return {
    issuer,
    overload: (on) => void (state.overloaded = on),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function newProvider(issuer: string, options: Parameters<typeof startOddEid>[0]): Provider {
  const { clientId, clientSecret, redirectUri, claims, tellIn } = options;
  const provider: Provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], profile: Object.keys(claims) },
    conformIdTokenClaims: tellIn === 'userinfo',
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...claims }) }),
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session?.accountId;
      if (accountId === undefined || oidc.client === undefined) return undefined;
      const grant = new provider.Grant({ accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
  });
  return provider;
}

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET') {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<form method="post" action="${request.url ?? ''}"><button>Log in</button></form>`);
    return;
  }
  request.resume();
  await provider.interactionFinished(request, response, { login: { accountId: 'subject-1' } });
}
