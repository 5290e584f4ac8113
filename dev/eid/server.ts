import express from 'express';
import type { Request, Response } from 'express';
import { serveLocally } from '../local-server.ts';
import { loginPage, messagePage } from './pages.ts';
import {
  EID_PROFILES,
  type EidProfile,
  type EidProfileName,
  formErrors,
  parseForm,
  personFrom,
  type TestPerson,
} from './person.ts';
import { createProvider, SESSION_COOKIE, SIGNING_ALGORITHMS, type SigningAlgorithm } from './provider.ts';
import { createStorage } from './storage.ts';

export interface EidOptions {
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  /** Whose claims it has; BankID's when left out. */
  readonly profile?: EidProfileName;
  /** Gets what goes wrong in here. */
  readonly log: (line: string) => void;
}

export interface RunningEid {
  readonly issuer: string;
  /** From here on it signs with a new key. Logins under way go on. `POST /_keys/ES256` does it too. */
  rotateKeys(signedWith: SigningAlgorithm): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A national eID that lets anybody be anybody: OpenID Connect with the code flow and PKCE, and a form instead of a
 * code device. It always asks, so the next login can be somebody else.
 *
 * `test/support/browser.ts` is how a script logs in; posting to `{login.url}/cancel` comes back as `access_denied`.
 *
 * @throws when the port is in use
 */
export async function startEid(options: EidOptions): Promise<RunningEid> {
  const issuer = `http://127.0.0.1:${options.port}`;
  const people = new Map<string, TestPerson>();
  const profile: EidProfile = EID_PROFILES[options.profile ?? 'bankid'];
  const storage = createStorage();
  const signingWith = async (signedWith: SigningAlgorithm) => {
    const made = await createProvider({ ...options, issuer, profile, people, storage, signedWith });
    made.on('server_error', (_, error) => options.log(`eID error: ${error.message}`));
    return made;
  };
  let provider = await signingWith('RS256');
  const rotateKeys = async (signedWith: SigningAlgorithm) => {
    provider = await signingWith(signedWith);
  };

  const app = express();
  app.disable('x-powered-by');
  // who logged in before is not known at the start of a login, so that it asks
  app.use('/auth', (req, _res, next) => {
    const cookies = (req.headers.cookie ?? '').split('; ');
    req.headers.cookie = cookies.filter((cookie) => !cookie.startsWith(SESSION_COOKIE)).join('; ');
    next();
  });

  const showLogin = (
    res: Response,
    uid: string,
    rest: Pick<Parameters<typeof loginPage>[0], 'form' | 'faults'>,
  ) => {
    const action = `/login/${uid}`;
    res.set('cache-control', 'no-store').type('html');
    res.send(loginPage({ action, cancelAction: `${action}/cancel`, ...rest }));
  };
  const gone = (res: Response) => {
    res.status(400).type('html');
    res.send(
      messagePage('Test-eID', 'Innloggingen er utløpt. Gå tilbake til siden du kom fra, og begynn på nytt.'),
    );
  };
  /** The login that this browser has begun, by its cookie. */
  const underWay = async (req: Request, res: Response) => {
    const interaction = await provider.interactionDetails(req, res).catch(() => undefined);
    return interaction?.uid === req.params.uid ? interaction : undefined;
  };

  app.get('/login/:uid', async (req, res) => {
    const login = await underWay(req, res);
    if (login === undefined) gone(res);
    else showLogin(res, login.uid, { form: parseForm({}), faults: {} });
  });
  app.post('/login/:uid', express.urlencoded({ extended: false }), async (req, res) => {
    const login = await underWay(req, res);
    if (login === undefined) {
      gone(res);
      return;
    }
    const form = parseForm(req.body);
    const faults = formErrors(form);
    if (Object.keys(faults).length > 0) {
      showLogin(res.status(400), login.uid, { form, faults });
      return;
    }
    const person = personFrom(form);
    people.set(person.sub, person);
    await provider.interactionFinished(req, res, {
      login: { accountId: person.sub, acr: profile.levels[person.level], remember: false },
    });
  });
  app.post('/login/:uid/cancel', async (req, res) => {
    if ((await underWay(req, res)) === undefined) gone(res);
    else
      await provider.interactionFinished(req, res, {
        error: 'access_denied',
        error_description: 'cancelled',
      });
  });
  app.post('/_keys/:algorithm', async (req, res) => {
    const signedWith = SIGNING_ALGORITHMS.find((each) => each === req.params.algorithm);
    if (signedWith === undefined) {
      res
        .status(404)
        .type('text')
        .send(`One of ${SIGNING_ALGORITHMS.join(', ')}\n`);
      return;
    }
    await rotateKeys(signedWith);
    res.type('text').send(`Signs with a new key (${signedWith}).\n`);
  });
  app.use((req, res) => provider.callback()(req, res));

  const server = await serveLocally(app, options.port);
  return { issuer, rotateKeys, stop: () => server.stop() };
}
