import { describedBy, pagePath, wayPath } from '../../src/operator/pages/layout.ts';
import { inputSchema } from '../../src/operator/description.ts';
import type { OperationName } from '../../src/operator/descriptions/index.ts';
import { type Actor, Denied } from '../../src/identity/operators/actor.ts';
import { createOperatorSessions } from '../../src/identity/operators/sessions.ts';
import type { Database } from '../../src/postgres/database.ts';
import { createSessionStore } from '../../src/postgres/operator-sessions.ts';
import { LOGIN_SETTINGS } from './login-settings.ts';

type Input = Readonly<Record<string, unknown>>;
type Form = readonly (readonly [name: string, value: string])[];

interface Page {
  readonly status: number;
  readonly url: string;
  /** As people read it. */
  readonly text: string;
  readonly html: string;
  /** Of the last form on it that is sent, with all that it holds already. */
  readonly form: Form;
  readonly names: readonly string[];
}

/** The back office as a browser without a screen meets it. @param api where it is; the clock of its sessions is ours */
export function officeOf(api: () => Promise<string>, database: () => Database, now = () => new Date()) {
  const sessions = () =>
    createOperatorSessions({
      store: createSessionStore(database()),
      login: { renew: () => Promise.reject(new Denied('LOGIN_REQUIRED')) },
      secrets: [LOGIN_SETTINGS.OPERATOR_SESSION_SECRETS],
      secure: false,
      now,
    });

  /** Somebody who has just logged in. */
  async function logIn(actor: Actor) {
    const setCookie = await sessions().start({ actor, issuedAt: now(), refreshToken: null }, undefined);
    const cookie = setCookie.split(';')[0] ?? '';

    const ask = async (
      path: string,
      init: RequestInit = {},
      headers: Record<string, string> = {},
    ): Promise<Page> => {
      const response = await fetch((await api()) + path, {
        ...init,
        redirect: 'manual',
        headers: { cookie, accept: 'text/html', origin: LOGIN_SETTINGS.OPERATOR_API_URL, ...headers },
      });
      return pageOf(response.status, response.headers.get('location') ?? path, await response.text());
    };
    const get = (path: string) => ask(path);
    const post = (path: string, form: Form, headers?: Record<string, string>) =>
      ask(
        path,
        {
          method: 'POST',
          body: new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])),
        },
        headers,
      );

    /** Opens the form of an operation with what a link to it says, and fills in the rest. */
    async function fill(name: OperationName, input: Input) {
      const { properties } = inputSchema(describedBy(name));
      const isKnown = (field: string) =>
        properties[field]?.['x-form']?.positional === true || field === describedBy(name).roleWith?.field;
      const known = Object.fromEntries(Object.entries(input).filter(([field]) => isKnown(field)));
      const path = wayPath({ name, input: known });
      const page = await get(path);
      if (page.status !== 200) return { path, page, form: [] };
      const typed = Object.entries(input).flatMap(([field, value]) => {
        if (!page.names.includes(field)) throw new Error(`the form of ${name} has no ${field}`);
        return [value].flat().map((one): [string, string] => [field, String(one)]);
      });
      const kept = page.form.filter(([field]) => !(field in input));
      return { path, page, form: [...kept, ...typed] };
    }

    /** Has it done as somebody would at the screen, who says yes where they are asked. */
    async function perform(name: OperationName, input: Input): Promise<Page> {
      const { changes, roleWith, looks } = describedBy(name);
      const looksOnly = (!changes || looks?.(input)) && !(roleWith && input[roleWith.field]);
      if (looksOnly) return get(wayPath({ name, input }));
      const { path, page, form } = await fill(name, input);
      if (form.length === 0) return page;
      const first = await post(path, form);
      return first.names.includes('confirm') ? post(path, first.form) : first;
    }

    return { get, post, fill, perform, cookie };
  }

  return { logIn, sessions, pagePath };
}

function pageOf(status: number, url: string, html: string): Page {
  const [main = ''] = /<main[\s\S]*<\/main>/.exec(html) ?? [];
  const forms = [...main.matchAll(/<form[^>]*method="post"[\s\S]*?<\/form>/g)].map(([form]) => form);
  const form = forms.at(-1) ?? '';
  const unescaped = (text: string) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  return {
    status,
    url,
    html,
    text: unescaped(main.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')),
    form: [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, unescaped(value)] as const,
    ),
    names: [...form.matchAll(/name="([^"]+)"/g)].map(([, name = '']) => name),
  };
}
