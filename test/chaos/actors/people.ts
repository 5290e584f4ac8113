import { logInAt } from '../../identity/eid-visitor.ts';
import type { Json } from '../../support/browser.ts';
import { freshAddress } from '../../support/caller.ts';
import { today } from '../../support/new-case.ts';
import { type Account, type Attempt, hourOf } from './account.ts';
import { attempt, attemptOf, type Caller, insist, type Sent, type Tried } from './call.ts';

export interface PartnerDeps {
  readonly call: Caller;
  /** The API, over the wire that partners have. */
  readonly api: string;
  /** Of the case's partner. */
  readonly keys: readonly string[];
  /** Nobody insists for longer (Unix time in milliseconds). */
  readonly until: number;
}

/** What the insurer of a case does. */
export function partnerOf(account: Account, { call, api, keys, until }: PartnerDeps) {
  const { planned, marks, partnerCaseId } = account;
  const key = keys[planned.number % keys.length] ?? '';
  const headers = { 'x-api-key': key };
  const idempotencyKey = `chaos-${partnerCaseId}`;

  const note = <T extends Tried>(tried: T): T => {
    account.attempts.push(attemptOf(tried));
    return tried;
  };
  const act = (deed: 'recall' | 'expire', path: string, body?: unknown) =>
    insist(
      async () => note(await attempt({ deed, hour: null }, () => call({ url: api + path, headers, body }))),
      ({ outcome }) => outcome === 'granted' || outcome === 'refused',
      until,
    );

  return {
    /** Repeats it with the same key until it is answered. @returns the case's id; null when it never was */
    async create(): Promise<string | null> {
      const body = {
        partnerCaseId,
        patientFirstName: marks.firstName,
        patientLastName: marks.lastName,
        ...(planned.channels === 'sms' ? {} : { patientEmail: marks.email }),
        ...(planned.channels === 'email' ? {} : { patientPhone: marks.phone }),
        injuryDate: today(-30),
        injuryDescription: marks.injury,
        treatmentType: planned.treatmentType,
        bookingDeadline: today(40),
      };
      const tryOnce = async () => {
        const tried = note(
          await attempt({ deed: 'create', hour: null }, () =>
            call({ url: `${api}/cases`, headers: { ...headers, 'idempotency-key': idempotencyKey }, body }),
          ),
        );
        if (typeof tried.sent !== 'string' && tried.sent.status === 201)
          account.created.push(tried.sent.body.id);
        return tried;
      };
      await insist(tryOnce, ({ outcome }) => outcome === 'granted' || outcome === 'refused', until);
      return account.created[0] ?? null;
    },

    recall: (id: string) => act('recall', `/cases/${id}/recall`, { reason: marks.reason }),
    /** The last day passes. */
    expire: (id: string) => act('expire', `/sandbox/cases/${id}/expire`),
  };
}

export interface OfferedTime {
  readonly slotId: string;
  readonly hour: string;
}

export interface CustomerDeps {
  readonly call: Caller;
  readonly web: string;
  readonly until: number;
}

/** How many days the customer looks at, and how many times are enough to choose from. */
const DAYS = 5;
const ENOUGH = 8;
/** Who is offered none for so long gives up (milliseconds). */
const LOOKS_FOR = 20_000;
const ALTERNATIVES = 3;

const isAnswered = ({ outcome }: Attempt): boolean => outcome === 'granted' || outcome === 'refused';

/** What the customer of a case does, over the calls that our own pages make. */
export function customerOf(account: Account, caseId: string, { call, web, until }: CustomerDeps) {
  const { marks } = account;
  const booking = `${web}/api/v1/booking/${caseId}`;
  let cookie = '';
  const own = () => ({ cookie, origin: web, 'x-forwarded-for': freshAddress() });
  const note = <T extends Tried>(tried: T): T => {
    account.attempts.push(attemptOf(tried));
    return tried;
  };

  const logInOnce = async (): Promise<boolean> => {
    const begun = await call({ url: `${booking}/login`, headers: { 'x-forwarded-for': freshAddress() } });
    if (typeof begun === 'string' || begun.status !== 200) return false;
    const person = { givenName: marks.firstName, familyName: marks.lastName, birthDate: marks.birthDate };
    const callback = await logInAt(begun.body.authorizationUrl, `${web}/eid/callback`, person);
    const arrived = await fetch(callback, {
      redirect: 'manual',
      headers: { cookie: cookiesOf(begun.headers), 'x-forwarded-for': freshAddress() },
      signal: AbortSignal.timeout(25_000),
    });
    cookie = cookiesOf(arrived.headers);
    // the callback sends nobody on who could not be logged in
    const shown = await call({ method: 'GET', url: booking, headers: own() });
    return typeof shown !== 'string' && shown.body?.authenticated === true;
  };

  const confirmOnce = async (time: OfferedTime) =>
    note(
      await attempt({ deed: 'confirm', hour: time.hour }, () =>
        call({ url: `${booking}/confirm`, headers: own(), body: { slotId: time.slotId } }),
      ),
    );
  const act = (deed: 'cancel' | 'askForHelp', path: string, body?: unknown) =>
    insist(
      async () =>
        note(await attempt({ deed, hour: null }, () => call({ url: booking + path, headers: own(), body }))),
      isAnswered,
      until,
    );

  return {
    logIn: () =>
      insist(
        () => logInOnce().catch(() => false),
        (done) => done,
        until,
      ),

    /** The free times of some days, earliest first. */
    async look(fromDay: number): Promise<OfferedTime[]> {
      const url = `${booking}/availability?from=${today(fromDay)}&to=${today(fromDay + DAYS - 1)}`;
      const offered = await insist(
        async () => timesIn(await call({ method: 'GET', url, headers: own() })),
        (times) => times.length >= ENOUGH,
        Math.min(until, Date.now() + LOOKS_FOR),
      );
      return offered.sort((one, other) => (one.hour < other.hour ? -1 : 1));
    },

    /** @param isFlexible takes another time when this one is taken */
    async confirm(time: OfferedTime, isFlexible: boolean): Promise<void> {
      let wanted = time;
      for (let others = 0; others <= ALTERNATIVES; others += 1) {
        const { code, sent } = await insist(() => confirmOnce(wanted), isAnswered, until);
        const [next] = timesIn(sent, 'alternatives');
        if (code !== 'SLOT_TAKEN' || !isFlexible || !next) return;
        wanted = next;
      }
    },
    cancel: () => act('cancel', '/cancel'),
    askForHelp: () => act('askForHelp', '/assistance', { message: marks.message }),
  };
}
export type Customer = ReturnType<typeof customerOf>;

function timesIn(sent: Sent, list: 'slots' | 'alternatives' = 'slots'): OfferedTime[] {
  if (typeof sent === 'string') return [];
  const times: Json[] = (list === 'slots' ? sent.body?.slots : sent.body?.details?.alternatives) ?? [];
  return times.map((time) => ({ slotId: time.slotId, hour: hourOf(time) }));
}

const cookiesOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
