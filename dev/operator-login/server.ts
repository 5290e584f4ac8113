import express from 'express';
import type { Request, Response } from 'express';
import { ROLES } from '../../src/identity/operators/actor.ts';
import type { SigningAlgorithm } from '../eid/provider.ts';
import { createStorage } from '../eid/storage.ts';
import { serveLocally } from '../local-server.ts';
import { choicePage, colleaguesPage, messagePage } from './pages.ts';
import { type Colleague, createColleagues } from './people.ts';
import { createProvider, type ProviderOptions, SESSION_COOKIE } from './provider.ts';

export interface OperatorLoginOptions extends Pick<
  ProviderOptions,
  'audience' | 'backOffice' | 'commandLine' | 'accessTokenSeconds'
> {
  readonly port: number;
  /** Gets what goes wrong in here. */
  readonly log: (line: string) => void;
}

export interface RunningOperatorLogin {
  readonly issuer: string;
  /** Gives and takes roles, or has somebody leave. The page at the issuer's address does it too. */
  change(colleague: string, changes: Partial<Pick<Colleague, 'roles' | 'isDisabled'>>): void;
  /** From here on it signs with a new key. Logins under way go on. */
  rotateKeys(signedWith: SigningAlgorithm): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The organisation's own login server, where operators log in: an OpenID Connect provider of another realm than the
 * customers' eID, with a page to choose who one is instead of a password.
 *
 * @throws when the port is in use
 */
export async function startOperatorLogin(options: OperatorLoginOptions): Promise<RunningOperatorLogin> {
  const issuer = `http://127.0.0.1:${options.port}`;
  const colleagues = createColleagues();
  const storage = createStorage();
  const signingWith = async (signedWith: SigningAlgorithm) => {
    const made = await createProvider({ ...options, issuer, colleagues, storage, signedWith });
    made.on('server_error', (_, error) => options.log(`operators' login error: ${error.message}`));
    return made;
  };
  let provider = await signingWith('RS256');
  const change: RunningOperatorLogin['change'] = (id, changes) => {
    const colleague = colleagues.get(id);
    if (colleague === undefined) throw new Error(`nobody is called ${id}`);
    colleagues.set(id, { ...colleague, ...changes });
  };

  const app = express();
  app.disable('x-powered-by');
  // who logged in before is not known at the start of a login, so that it asks
  app.use(['/auth', '/device'], (req, _res, next) => {
    const cookies = (req.headers.cookie ?? '').split('; ');
    const isStart = req.method === 'GET' && req.path === '/';
    if (isStart) req.headers.cookie = cookies.filter((each) => !each.startsWith(SESSION_COOKIE)).join('; ');
    next();
  });

  /** The login that this browser has begun, by its cookie; tells it where there is none. */
  const underWay = async (req: Request, res: Response) => {
    const interaction = await provider.interactionDetails(req, res).catch(() => undefined);
    if (interaction?.uid === req.params.uid) return interaction;
    res.status(400).type('html').send(messagePage('Login expired', 'Go back, and begin again.'));
    return undefined;
  };
  const form = express.urlencoded({ extended: false });
  app.get('/login/:uid', async (req, res) => {
    const login = await underWay(req, res);
    const there = [...colleagues.values()].filter(({ isDisabled }) => !isDisabled);
    if (login)
      res
        .set('cache-control', 'no-store')
        .type('html')
        .send(choicePage(`/login/${login.uid}`, there));
  });
  app.post('/login/:uid', form, async (req, res) => {
    if (!(await underWay(req, res))) return;
    const { colleague: id = '' } = req.body as { colleague?: string };
    if (colleagues.has(id))
      await provider.interactionFinished(req, res, { login: { accountId: id, remember: false } });
    else res.status(400).type('html').send(messagePage('Login failed', 'Nobody is called so.'));
  });
  app.post('/login/:uid/cancel', async (req, res) => {
    if (await underWay(req, res))
      await provider.interactionFinished(req, res, {
        error: 'access_denied',
        error_description: 'cancelled',
      });
  });
  app.get('/', (_req, res) => void res.type('html').send(colleaguesPage([...colleagues.values()])));
  app.post('/_colleagues/:id', form, (req, res) => {
    const { roles = [], disabled } = req.body as { roles?: string | string[]; disabled?: string };
    const given = [roles].flat();
    change(req.params.id, {
      roles: ROLES.filter((role) => given.includes(role)),
      isDisabled: disabled === 'yes',
    });
    res.redirect(303, '/');
  });
  app.use((req, res) => provider.callback()(req, res));

  const server = await serveLocally(app, options.port);
  return {
    issuer,
    change,
    async rotateKeys(signedWith) {
      provider = await signingWith(signedWith);
    },
    stop: () => server.stop(),
  };
}
