import { type CalendarDate, type Instant, instant } from '../domain/instant.ts';
import { createCookie, createSeal } from './cookies.ts';
import type { Person, PersonKeys } from './person.ts';

const MINUTE_MS = 60_000;
/** Since the customer was last seen. */
const IDLE_MS = 15 * MINUTE_MS;
/** Since the login, however busy the customer is. */
const ABSOLUTE_MS = 120 * MINUTE_MS;

/** A logged-in customer, kept in the browser; what is kept here is that it was not ended (see {@link OpenSessions}). */
export interface Session {
  /** By which it can be ended wherever its cookie is. */
  readonly id: string;
  /** The same at each login of theirs. */
  readonly personId: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly birthDate: CalendarDate | null;
  readonly issuedAt: Instant;
  readonly lastSeenAt: Instant;
}

export interface Customer extends Pick<Person, 'givenName' | 'familyName' | 'birthDate'> {
  readonly keys: PersonKeys;
}

/** Which sessions were begun and not ended, for all processes. */
export interface OpenSessions {
  /** Begins a session now, of whoever has one of these keys, or of somebody new. */
  begin(keys: PersonKeys): Promise<Pick<Session, 'id' | 'personId'>>;
  has(id: string): Promise<boolean>;
  end(id: string): Promise<void>;
}

/** A session as it is from now on, and the `Set-Cookie` header that brings it to the browser. */
export interface Renewed {
  readonly session: Session;
  readonly setCookie: string;
}

export interface Sessions {
  readonly cookieName: string;
  /** Ends the session that the browser has, so that each login leaves one behind. */
  start(customer: Customer, cookieHeader: string | undefined): Promise<Renewed>;
  /** @returns null without a session, or when it has run out, was ended, or was tampered with. */
  read(cookieHeader: string | undefined): Promise<Session | null>;
  /** For each request of the customer's: moves the idle end, never the absolute one. */
  renew(session: Session): Promise<Renewed>;
  /** Ends it for every browser that has its cookie. @returns the value of a `Set-Cookie` header. */
  end(cookieHeader: string | undefined): Promise<string>;
}

const absoluteEnd = ({ issuedAt }: Session): number => Date.parse(issuedAt) + ABSOLUTE_MS;
const idleEnd = ({ lastSeenAt }: Session): number => Date.parse(lastSeenAt) + IDLE_MS;

/** @returns when the session ends if the customer does nothing more. */
export const sessionEnd = (session: Session): Instant =>
  instant(Math.min(absoluteEnd(session), idleEnd(session)));

/** Whether being used still moves its end. */
export const mayBeExtended = (session: Session): boolean => idleEnd(session) < absoluteEnd(session);

export function createSessions({
  openSessions,
  secrets,
  secure,
  now = () => new Date(),
}: {
  openSessions: OpenSessions;
  secrets: readonly [string, ...string[]];
  /** Whether the service is reached over https. */
  secure: boolean;
  now?: () => Date;
}): Sessions {
  const maxAgeSeconds = IDLE_MS / 1000;
  const cookie = createCookie({ name: 'session', secure, maxAgeSeconds });
  const sealed = createSeal<Session>({ secrets, purpose: 'session', maxAgeSeconds, now });

  const kept = async (session: Session): Promise<Renewed> => ({
    session,
    setCookie: cookie.set(await sealed.seal(session)),
  });
  const sessionIn = async (cookieHeader: string | undefined): Promise<Session | null> => {
    const value = cookie.read(cookieHeader);
    const session = value === null ? null : await sealed.unseal(value);
    return session !== null && instant(now()) < sessionEnd(session) ? session : null;
  };
  const endIn = async (cookieHeader: string | undefined): Promise<void> => {
    const session = await sessionIn(cookieHeader);
    if (session !== null) await openSessions.end(session.id);
  };

  return {
    cookieName: cookie.name,

    async start({ keys, ...customer }, cookieHeader) {
      await endIn(cookieHeader);
      const begun = await openSessions.begin(keys);
      const at = instant(now());
      return kept({ ...customer, ...begun, issuedAt: at, lastSeenAt: at });
    },

    async read(cookieHeader) {
      const session = await sessionIn(cookieHeader);
      return session !== null && (await openSessions.has(session.id)) ? session : null;
    },

    renew: (session) => kept({ ...session, lastSeenAt: instant(now()) }),

    async end(cookieHeader) {
      await endIn(cookieHeader);
      return cookie.clear();
    },
  };
}
