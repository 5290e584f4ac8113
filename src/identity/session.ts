import type { CalendarDate, Instant } from '../domain/instant.ts';
import { instant } from '../domain/instant.ts';
import { ownCookie } from './cookies.ts';
import type { PersonKey } from './person-key.ts';
import { createSeal } from './seal.ts';

const MINUTE_MS = 60_000;
/** From the login, whatever the customer does. */
const ABSOLUTE_MS = 30 * MINUTE_MS;
/** Since the customer was last seen. */
const IDLE_MS = 15 * MINUTE_MS;

/** A logged-in customer, kept in the browser only. */
export interface Session {
  readonly personKey: PersonKey;
  readonly givenName: string;
  readonly familyName: string;
  readonly birthDate: CalendarDate | null;
  readonly issuedAt: Instant;
  readonly lastSeenAt: Instant;
}

/** Each string it returns is the value of a `Set-Cookie` header. */
export interface Sessions {
  readonly cookieName: string;
  start(customer: Omit<Session, 'issuedAt' | 'lastSeenAt'>): Promise<string>;
  /** @returns null without a session, or when it has run out or was tampered with. */
  read(cookieHeader: string | undefined): Promise<Session | null>;
  /** For each request of the customer's: moves the idle end, never the absolute one. */
  renew(session: Session): Promise<string>;
  end(): string;
}

/** @returns when the session ends if the customer does nothing more. */
export const sessionEnd = (session: Session): Instant =>
  instant(Math.min(Date.parse(session.issuedAt) + ABSOLUTE_MS, Date.parse(session.lastSeenAt) + IDLE_MS));

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
  const cookie = ownCookie({ name: 'session', secure, maxAgeSeconds });
  const sealed = createSeal<Session>({ secrets, purpose: 'session', maxAgeSeconds, now });

  return {
    cookieName: cookie.name,

    async start(customer) {
      const at = instant(now());
      return cookie.set(await sealed.seal({ ...customer, issuedAt: at, lastSeenAt: at }));
    },

    async read(cookieHeader) {
      const value = cookie.read(cookieHeader);
      const session = value === null ? null : await sealed.unseal(value);
      return session !== null && instant(now()) < sessionEnd(session) ? session : null;
    },

    async renew(session) {
      return cookie.set(await sealed.seal({ ...session, lastSeenAt: instant(now()) }));
    },

    end: () => cookie.clear(),
  };
}
