import { sql } from 'slonik';
import { z } from 'zod';
import { launchChromium } from '../stories/chromium.ts';
import type { CaseBody } from '../support/caller.ts';
import { logIn } from '../support/customer.ts';
import { BY_BOTH, newCase } from '../support/new-case.ts';
import { startService, type TestService, type Wanted } from '../support/service.ts';
import { newVisitor, type Look, type Visitor } from './visitor.ts';

/** The service with all that a customer meets of it, and browsers to meet it with. */
export interface Rig {
  readonly service: TestService;
  /** Somebody nobody knows yet. @param homes where requests may go; the service's own places when left out */
  stranger(look: Look, homes?: readonly string[]): Promise<Visitor>;
  /** Kari Nordmann, logged in, whose every case it is. */
  kari(look: Look): Promise<Visitor>;
  /** Kari has logged out, which ends the session that her visits share: the next one logs in anew. */
  kariIsOut(): void;
  /** Somebody at a case of a service whose eID does not answer. */
  strangerWhereNoEidIs(look: Look): Promise<Visitor>;
  /** A case of Kari's. */
  newCase(changes?: Readonly<Record<string, unknown>>): Promise<CaseBody>;
  read(caseId: string): Promise<CaseBody>;
  /** Makes of a case what our own code can not read. */
  spoil(caseId: string): Promise<void>;
  /** Has the sandbox do something to a case. */
  drive(caseId: string, action: string): Promise<CaseBody>;
  /** What the clinics do to the next requests, until `mend`. */
  fault(fault: Record<string, unknown>, clinics?: 'one' | 'all'): Promise<void>;
  mend(): Promise<void>;
  stop(): Promise<void>;
}

/** Less than a session may be idle. */
const LOGIN_KEPT_MS = 5 * 60_000;

export async function startRig(wanted: Wanted = {}): Promise<Rig> {
  const [service, chromium] = await Promise.all([
    startService({
      worker: true,
      messages: true,
      eid: true,
      clinics: ['fjordklinikken', 'nordlys'],
      ...wanted,
    }),
    launchChromium(),
  ]);
  const create = async (changes: Readonly<Record<string, unknown>> = {}) => {
    const { status, body } = await service.partner.post<CaseBody>(
      '/cases',
      newCase({ ...BY_BOTH, ...changes }),
    );
    if (status !== 201) throw new Error(`not created: ${JSON.stringify(body)}`);
    return body;
  };
  const stranger = (look: Look, homes = [service.url, service.eidUrl ?? service.url]) =>
    newVisitor(chromium, homes, look);
  const session = keptFor(LOGIN_KEPT_MS, async () => (await logIn(service, (await create()).id)).cookie);
  const faults = (init: RequestInit, clinics = service.clinics) =>
    Promise.all(clinics.map(({ url }) => fetch(`${url}/_faults`, init)));

  const eidless = keptFor(Infinity, () => startService());

  return {
    service,
    stranger,
    newCase: create,
    async strangerWhereNoEidIs(look) {
      const { url, partner } = await eidless();
      const visitor = await newVisitor(chromium, [url], look);
      const { body } = await partner.post<CaseBody>('/cases', newCase());
      await visitor.page.goto(body.bookingUrl);
      return visitor;
    },
    read: async (caseId) => (await service.partner.get<CaseBody>(`/cases/${caseId}`)).body,
    async spoil(caseId) {
      await service.database.query(sql.type(z.unknown())`UPDATE cases SET state = '{}' WHERE id = ${caseId}`);
    },
    async kari(look) {
      const visitor = await stranger(look);
      await visitor.context.addCookies(cookiesIn(await session(), service.url));
      return visitor;
    },
    kariIsOut: () => session.forget(),
    async drive(caseId, action) {
      const { status, body } = await service.partner.post<CaseBody>(`/sandbox/cases/${caseId}/${action}`);
      if (status !== 200) throw new Error(`${action} answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    async fault(fault, clinics = 'all') {
      const headers = { 'content-type': 'application/json' };
      const which = service.clinics.slice(0, clinics === 'one' ? 1 : undefined);
      await faults({ method: 'POST', headers, body: JSON.stringify(fault) }, which);
    },
    async mend() {
      await faults({ method: 'DELETE' });
    },
    async stop() {
      await chromium.close();
      await eidless.end((other) => other.stop());
      await service.stop();
    },
  };
}

/** Made when it is first asked for, and anew when it is older than this. */
function keptFor<T>(ms: number, make: () => Promise<T>) {
  let made: { at: number; value: Promise<T> } | null = null;
  const get = (): Promise<T> => {
    if (made === null || made.at + ms < Date.now()) made = { at: Date.now(), value: make() };
    return made.value;
  };
  return Object.assign(get, {
    forget: () => void (made = null),
    /** What is done to it at the end, if it was ever made. */
    end: async (work: (value: T) => Promise<void>) => made && work(await made.value),
  });
}

const cookiesIn = (header: string, url: string) =>
  header
    .split('; ')
    .map((pair) => /^([^=]+)=(.*)$/.exec(pair))
    .map((match) => ({ name: match?.[1] ?? '', value: match?.[2] ?? '', url }))
    .filter(({ value }) => value !== '');
