import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { Denied } from '../../identity/operators/actor.ts';
import { breakGlassAuthorization } from '../../identity/operators/break-glass.ts';
import type { CommandLineLogin, LoginPlace } from '../../identity/operators/device-login.ts';
import { createTokenFile } from '../../identity/operators/token-file.ts';
import type { Connection } from './client.ts';
import { Failure } from './failure.ts';
import type { ProgramContext } from './run-program.ts';

/** The login of somebody's command line at one operator API. */
export interface Login {
  readonly connection: Connection;
  /** @param show told where to approve it; it is waited for */
  logIn(show: (login: ToApprove) => void): Promise<void>;
  /** @returns whether somebody was logged in */
  logOut(): Promise<boolean>;
}

/** Where to go, and what to see there. */
export interface ToApprove {
  readonly uri: string;
  readonly userCode: string;
}

/** @param url of the operator API, without a trailing slash */
export function createLogin({ url, loginFile }: { url: string; loginFile: string }): Login {
  const file = createTokenFile(loginFile);

  return {
    connection: {
      url,
      async authorization(expired) {
        const known = await file.read(url);
        if (known === null) return null;
        if (expired === undefined || bearer(known.accessToken) !== expired) return bearer(known.accessToken);
        const renewed = await inWords(() =>
          file.update(url, async (kept) => {
            // another command has done it, or logged out, meanwhile
            if (kept === null || bearer(kept.accessToken) !== expired) return kept;
            if (kept.refreshToken === null) return null;
            const login = await atIdentityProvider(kept);
            try {
              return { ...kept, ...(await login.renew(kept.refreshToken)) };
            } catch (error) {
              if (error instanceof Denied && error.code === 'LOGIN_REQUIRED') return null;
              throw error;
            }
          }),
        );
        return renewed && bearer(renewed.accessToken);
      },
    },

    logIn: (show) =>
      inWords(async () => {
        const place = await askPlace(url);
        const device = await (await atIdentityProvider(place)).begin();
        show({ uri: device.completeUri ?? device.verificationUri, userCode: device.userCode });
        const tokens = await device.approved();
        await file.update(url, async () => ({ api: url, ...place, ...tokens }));
      }),

    async logOut() {
      const known = await file.read(url);
      // here it is forgotten already, whether they hear of it there or not
      await file.update(url, async () => null);
      if (known === null) return false;
      const { refreshToken } = known;
      if (refreshToken !== null)
        await (await atIdentityProvider(known)).revoke(refreshToken).catch(() => undefined);
      return true;
    },
  };
}

/** Over the operator API's socket, in the name of the system's user. */
export const breakGlassConnection = (socketPath: string, reason: string): Connection => ({
  url: 'http://operator-api',
  socketPath,
  authorization: async () => breakGlassAuthorization({ user: systemUser(), reason }),
});

/** In a container, a number may have no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** `login`, `token` and `logout`. @param open throws Failure when the settings are wrong */
export function loginCommands(
  program: Command,
  { terminal, print }: ProgramContext,
  open: () => Login,
): void {
  const isJson = () => program.opts()['json'] === true;
  program
    .command('login')
    .description("log in at the organisation's identity provider, in a browser anywhere")
    .addHelpText('after', '\nWaits until somebody has approved it there. What it gets is kept for you alone.')
    .action(async () => {
      await open().logIn(({ uri, userCode }) => {
        terminal.say(`Open ${uri}\nand approve it if you see ${userCode} there. Waiting …`);
      });
      print(
        { result: { loggedIn: true }, view: 'Logged in. `operator whoami` says with which roles.' },
        isJson(),
      );
    });
  program
    .command('token')
    .description('print an access token for other tools, which counts for ten minutes')
    .addHelpText(
      'after',
      '\nFor `temporal --codec-auth`, which shows what Temporal keeps. Whoever has it is you.',
    )
    .action(async () => {
      const { authorization } = open().connection;
      const known = await authorization();
      const fresh = known === null ? null : await authorization(known);
      if (fresh === null)
        throw new Failure('refused', 'LOGIN_REQUIRED', 'Nobody is logged in here: `operator login`.');
      const token = fresh.replace(/^Bearer /, '');
      print({ result: { token }, view: token }, isJson());
    });
  program
    .command('logout')
    .description('forget the login, here and at the identity provider')
    .action(async () => {
      const wasLoggedIn = await open().logOut();
      const view = wasLoggedIn ? 'Logged out.' : 'Nobody was logged in.';
      print({ result: { loggedIn: false, wasLoggedIn }, view }, isJson());
    });
}

const bearer = (token: string): string => `Bearer ${token}`;

/** Loaded when somebody logs in or a token is renewed: most commands need none of it. */
async function atIdentityProvider(place: LoginPlace): Promise<CommandLineLogin> {
  const { createCommandLineLogin } = await import('../../identity/operators/device-login.ts');
  return createCommandLineLogin(place);
}

/** The operator API says where to log in. */
async function askPlace(url: string): Promise<LoginPlace> {
  const answer = await fetch(`${url}/operator/v1/login`, { signal: AbortSignal.timeout(10_000) }).catch(
    () => null,
  );
  const place = (await answer?.json().catch(() => null)) as Partial<LoginPlace> | null | undefined;
  const { issuer = '', clientId, scope } = place ?? {};
  if (answer === null)
    throw new Failure('unavailable', 'API_AWAY', `The operator API at ${url} does not answer.`);
  if (!answer.ok || !URL.canParse(issuer) || clientId === undefined || scope === undefined)
    throw new Failure(
      'unavailable',
      'NOT_THE_API',
      `What answers at ${url} is not the operator API (HTTP ${answer.status}): look at OPERATOR_API_URL.`,
    );
  return { issuer, clientId, scope };
}

/** @throws Failure for what is Denied */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Denied)) throw error;
    throw new Failure(error.status === 503 ? 'unavailable' : 'refused', error.code, error.message);
  }
}
