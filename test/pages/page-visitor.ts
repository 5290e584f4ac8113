import { type Answer, logInAt } from '../identity/eid-visitor.ts';
import { completeOf } from '../support/browser.ts';
import { freshAddress } from '../support/caller.ts';
import type { TestService } from '../support/service.ts';

export interface Shown {
  readonly status: number;
  /** Where the browser is sent; null where it is shown a page. */
  readonly location: string | null;
  readonly title: string;
  readonly text: string;
  readonly setCookies: readonly string[];
  readonly headers: Headers;
}

/** Somebody's browser at the pages, which is not sent anywhere unless the test goes there. */
export interface PageVisitor {
  /** By name: what the browser has, and what a test may take away or spoil. */
  readonly cookies: Map<string, string>;
  /** As its script has it in the end: with the times of clinics that are late. */
  get(address: string): Promise<Shown>;
  /** As it comes. */
  getAtOnce(address: string): Promise<Shown>;
  /** Sends a form with the token of the case's page for help, which everybody sees. */
  post(address: string, form?: Readonly<Record<string, string>>): Promise<Shown>;
  /** Up to the eID's door: the address there. */
  begin(caseId: string): Promise<string>;
  /** Logs in at the eID, and comes back up to the callback. */
  atEid(caseId: string, answer?: Answer): Promise<URL>;
  /** The whole login. */
  logIn(caseId: string, answer?: Answer): Promise<Shown>;
}

export const KARI = { givenName: 'Kari', familyName: 'Nordmann', birthDate: '1985-03-02' };

/** @param home another process of the service than the usual one; it shares the browser's cookies */
export function pageVisitor(
  service: TestService,
  home = service.url,
  cookies = new Map<string, string>(),
): PageVisitor {
  const redirect = `${service.url}/eid/callback`;

  const send = async (address: string, init: RequestInit): Promise<Shown> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    // pages and logins are counted by address
    const from = freshAddress();
    const headers = { ...(init.headers as Record<string, string>), 'X-Forwarded-For': from, cookie };
    const response = await fetch(new URL(address, home), { ...init, headers, redirect: 'manual' });
    const setCookies = response.headers.getSetCookie();
    for (const line of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    return {
      status: response.status,
      location: response.headers.get('location'),
      title: /<h1[^>]*>([^<]*)</.exec(text)?.[1]?.trim() ?? '',
      text,
      setCookies,
      headers: response.headers,
    };
  };
  const tokenFor = async (address: string): Promise<string> => {
    const [first = ''] = /^\/b\/[^/]+/.exec(address) ?? [];
    return /name="_token" value="([^"]+)"/.exec((await send(`${first}/help`, {})).text)?.[1] ?? '';
  };

  const visitor: PageVisitor = {
    cookies,
    async get(address) {
      const shown = await send(address, {});
      const complete = completeOf(shown.text);
      return complete === null ? shown : send(complete, {});
    },
    getAtOnce: (address) => send(address, {}),
    async post(address, form = {}) {
      const body = new URLSearchParams({ _token: await tokenFor(address), ...form });
      return send(address, { method: 'POST', body });
    },
    async begin(caseId) {
      const { location, status } = await visitor.post(`/b/${caseId}/login`);
      if (location === null) throw new Error(`not sent to the eID, but ${status}`);
      return location;
    },
    atEid: async (caseId, answer = KARI) => logInAt(await visitor.begin(caseId), redirect, answer),
    async logIn(caseId, answer) {
      const callback = await visitor.atEid(caseId, answer);
      return visitor.get(callback.pathname + callback.search);
    },
  };
  return visitor;
}
