import { createHmac, hkdfSync } from 'node:crypto';
import { type Instant, instant } from '../../domain/instant.ts';
import { createCookie, createSeal } from '../cookies.ts';
import { TOKEN_AGE_SECONDS } from './access-tokens.ts';
import { type Actor, Denied } from './actor.ts';
import type { BrowserLogin, LoggedIn } from './browser-login.ts';

/** Since the operator was last seen (seconds). */
const IDLE_SECONDS = 30 * 60;
/** Since the login, however busy the operator is (seconds): a working day. */
const ABSOLUTE_SECONDS = 8 * 60 * 60;

/** A session as it is kept here. */
export interface SessionRow {
  readonly actor: Pick<Actor, 'subject' | 'name' | 'roles'>;
  /** When the identity provider last said so. */
  readonly checkedAt: Instant;
  /** Sealed: who reads the table can not log in by it. */
  readonly refreshToken: string | null;
}

/** The sessions that were begun and not ended, for all processes. */
export interface SessionStore {
  /** @returns the id of a session that begins now */
  begin(row: SessionRow): Promise<string>;
  find(id: string): Promise<SessionRow | null>;
  /** Hands over the row, which nobody else renews meanwhile, and keeps what comes back; null ends the session. */
  update(id: string, change: (row: SessionRow) => Promise<SessionRow | null>): Promise<SessionRow | null>;
  /** @returns false where this form was sent before */
  claimForm(id: string, form: string): Promise<boolean>;
  releaseForm(id: string, form: string): Promise<void>;
  end(id: string): Promise<void>;
}

/** Somebody's session, for as long as one request takes. */
export interface OperatorSession {
  readonly actor: Actor;
  /** The value of a `Set-Cookie` header, which moves the idle end. */
  readonly setCookie: string;
  /** What each of their forms carries, and no other site can know. */
  readonly formToken: string;
  /** Whether it is of this session, whichever of the secrets made it. */
  isFormToken(token: unknown): boolean;
  /** Takes note that a form was sent. @returns false where it was before, by whichever process: then nothing is to be done */
  claimForm(form: string): Promise<boolean>;
  /** It did nothing, and may be sent again. */
  releaseForm(form: string): Promise<void>;
}

/** What the browser keeps of it, sealed. */
interface Kept {
  readonly id: string;
  readonly startedAt: Instant;
  readonly lastSeenAt: Instant;
}

/** The back office's sessions: a cookie that only we can read, and a row that ends it wherever the cookie is. */
export interface OperatorSessions {
  /** Ends the session that the browser has. @returns the value of a `Set-Cookie` header */
  start(login: LoggedIn, cookies: string | undefined): Promise<string>;
  /**
   * Who it is, with the roles that they had at most ten minutes ago.
   *
   * @throws Denied `LOGIN_REQUIRED` without a session, or when it has run out or was ended, here or at the identity
   *   provider; `LOGIN_UNAVAILABLE` when that has to be asked, and does not answer: the session is kept
   */
  read(cookies: string | undefined): Promise<OperatorSession>;
  /** Ends it for every browser that has its cookie. @returns the value of a `Set-Cookie` header */
  end(cookies: string | undefined): Promise<string>;
}

export function createOperatorSessions({
  store,
  login,
  secrets,
  secure,
  now,
}: {
  store: SessionStore;
  login: Pick<BrowserLogin, 'renew'>;
  secrets: readonly [string, ...string[]];
  /** Whether the back office is reached over https. */
  secure: boolean;
  now: () => Date;
}): OperatorSessions {
  const cookie = createCookie({ name: 'operator-session', secure, maxAgeSeconds: IDLE_SECONDS });
  const sealed = createSeal<Kept>({ secrets, purpose: 'operator-session', maxAgeSeconds: IDLE_SECONDS, now });
  const sealedToken = createSeal<string>({
    secrets,
    purpose: 'operator-refresh-token',
    maxAgeSeconds: ABSOLUTE_SECONDS,
    now,
  });

  const formKeys = secrets.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'operator-form-token', 32)),
  );
  const age = (at: Instant): number => (now().getTime() - Date.parse(at)) / 1000;
  const keptIn = async (cookies: string | undefined): Promise<Kept | null> => {
    const kept = await sealed.unseal(cookie.read(cookies) ?? '');
    return kept && age(kept.startedAt) < ABSOLUTE_SECONDS && age(kept.lastSeenAt) < IDLE_SECONDS
      ? kept
      : null;
  };
  const endIn = async (cookies: string | undefined): Promise<void> => {
    const kept = await keptIn(cookies);
    if (kept !== null) await store.end(kept.id);
  };
  const rowOf = async ({ actor, issuedAt, refreshToken }: LoggedIn): Promise<SessionRow> => ({
    actor: { subject: actor.subject, name: actor.name, roles: actor.roles },
    checkedAt: instant(issuedAt),
    refreshToken: refreshToken === null ? null : await sealedToken.seal(refreshToken),
  });
  const isChecked = ({ checkedAt }: SessionRow): boolean => age(checkedAt) < TOKEN_AGE_SECONDS;

  /** Asks the identity provider again. Null: who it was may not log in any more, or has no role left. */
  const recheck = async (row: SessionRow): Promise<SessionRow | null> => {
    // whoever waited for the row finds that another request has done it
    if (isChecked(row)) return row;
    const refreshToken = row.refreshToken === null ? null : await sealedToken.unseal(row.refreshToken);
    if (refreshToken === null) return null;
    try {
      const renewed = await login.renew(refreshToken);
      const isSame = renewed.actor.subject === row.actor.subject && renewed.actor.roles.length > 0;
      return isSame ? await rowOf(renewed) : null;
    } catch (error) {
      if (error instanceof Denied && error.code === 'LOGIN_REQUIRED') return null;
      throw error;
    }
  };

  return {
    async start(loggedIn, cookies) {
      // who may do nothing has nothing to be logged in for
      if (loggedIn.actor.roles.length === 0) throw new Denied('ROLE_MISSING');
      await endIn(cookies);
      const id = await store.begin(await rowOf(loggedIn));
      const at = instant(now());
      return cookie.set(await sealed.seal({ id, startedAt: at, lastSeenAt: at }));
    },

    async read(cookies) {
      const kept = await keptIn(cookies);
      if (kept === null) throw new Denied('LOGIN_REQUIRED');
      const found = await store.find(kept.id);
      const row = found && !isChecked(found) ? await store.update(kept.id, recheck) : found;
      if (row === null) throw new Denied('LOGIN_REQUIRED');
      const setCookie = cookie.set(await sealed.seal({ ...kept, lastSeenAt: instant(now()) }));
      const formTokens = formKeys.map((key) => createHmac('sha256', key).update(kept.id).digest('base64url'));
      return {
        ...{ actor: { ...row.actor, via: 'session' as const }, setCookie, formToken: formTokens[0] ?? '' },
        isFormToken: (token) => formTokens.some((own) => own === token),
        claimForm: (form) => store.claimForm(kept.id, form),
        releaseForm: (form) => store.releaseForm(kept.id, form),
      };
    },

    async end(cookies) {
      await endIn(cookies);
      return cookie.clear();
    },
  };
}
