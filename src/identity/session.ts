import { type CalendarDate, type Instant, instant } from '../domain/instant.ts';
import { createCookie, createSeal } from './cookies.ts';
import type { PersonKey } from './person.ts';

const MINUTE_MS = 60_000;
/** From the login, or from when the customer asked for more time. */
const ABSOLUTE_MS = 30 * MINUTE_MS;
/** Since the customer was last seen. */
const IDLE_MS = 15 * MINUTE_MS;
/** As often as WCAG 2.2.1 wants at least; then it takes a login. */
const MOST_EXTENSIONS = 10;

/** A logged-in customer, kept in the browser only. */
export interface Session {
  readonly personKey: PersonKey;
  readonly givenName: string;
  readonly familyName: string;
  readonly birthDate: CalendarDate | null;
  readonly issuedAt: Instant;
  readonly lastSeenAt: Instant;
  /** The login, or when the customer last asked for more time; and how often they did. */
  readonly extendedAt: Instant;
  readonly extensions: number;
}

export type Customer = Pick<Session, 'personKey' | 'givenName' | 'familyName' | 'birthDate'>;

/** A session as it is from now on, and the `Set-Cookie` header that brings it to the browser. */
export interface Renewed {
  readonly session: Session;
  readonly setCookie: string;
}

export interface Sessions {
  readonly cookieName: string;
  /** @returns the value of a `Set-Cookie` header. */
  start(customer: Customer): Promise<string>;
  /** @returns null without a session, or when it has run out or was tampered with, or the browser has logged out. */
  read(cookieHeader: string | undefined): Promise<Session | null>;
  /** For each request of the customer's: moves the idle end, never the absolute one. */
  renew(session: Session): Promise<Renewed>;
  /** For a customer who asks for more time: moves both ends, up to {@link MOST_EXTENSIONS} times. */
  extend(session: Session): Promise<Renewed>;
  /** @returns the values of `Set-Cookie` headers. */
  end(): string[];
}

/** @returns when the session ends if the customer does nothing more. */
export const sessionEnd = ({ extendedAt, lastSeenAt }: Session): Instant =>
  instant(Math.min(Date.parse(extendedAt) + ABSOLUTE_MS, Date.parse(lastSeenAt) + IDLE_MS));

/** Whether asking for more time still gives any. */
export const mayBeExtended = ({ extensions }: Session): boolean => extensions < MOST_EXTENSIONS;

export function createSessions({
  secrets,
  secure,
  now = () => new Date(),
}: {
  secrets: readonly [string, ...string[]];
  /** Whether the service is reached over https. */
  secure: boolean;
  now?: () => Date;
}): Sessions {
  const maxAgeSeconds = ABSOLUTE_MS / 1000;
  const cookie = createCookie({ name: 'session', secure, maxAgeSeconds });
  const sealed = createSeal<Session>({ secrets, purpose: 'session', maxAgeSeconds, now });
  // an answer that was under way in another tab would bring the session back: the logout must be remembered
  const loggedOut = createCookie({
    name: 'logged-out',
    secure,
    maxAgeSeconds: maxAgeSeconds * (MOST_EXTENSIONS + 1),
  });

  const kept = async (session: Session): Promise<Renewed> => ({
    session,
    setCookie: cookie.set(await sealed.seal(session)),
  });
  const hasLoggedOut = (session: Session, cookieHeader: string | undefined): boolean =>
    Date.parse(session.issuedAt) <= Number(loggedOut.read(cookieHeader) ?? 0);

  return {
    cookieName: cookie.name,

    async start(customer) {
      const at = instant(now());
      return (await kept({ ...customer, issuedAt: at, lastSeenAt: at, extendedAt: at, extensions: 0 }))
        .setCookie;
    },

    async read(cookieHeader) {
      const value = cookie.read(cookieHeader);
      const session = value === null ? null : await sealed.unseal(value);
      if (session === null || hasLoggedOut(session, cookieHeader)) return null;
      return instant(now()) < sessionEnd(session) ? session : null;
    },

    renew: (session) => kept({ ...session, lastSeenAt: instant(now()) }),

    extend(session) {
      const at = instant(now());
      const more = mayBeExtended(session) && { extendedAt: at, extensions: session.extensions + 1 };
      return kept({ ...session, ...more, lastSeenAt: at });
    },

    end: () => [cookie.clear(), loggedOut.set(String(now().getTime()))],
  };
}
