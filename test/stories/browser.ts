/** A browser without a screen: it keeps cookies by host and follows redirects, and nothing else. */
export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Browser {
  get(url: string | URL): Promise<Page>;
  post(url: string | URL, form: Record<string, string>): Promise<Page>;
  /** As our own pages' script would: JSON, with the cookies and the origin of `url`. */
  json(
    method: string,
    url: string | URL,
    body?: unknown,
  ): Promise<{ status: number; headers: Headers; body: Json }>;
}

// what tests look into; each look is an assertion of its own
export type Json = any;

export function openBrowser(): Browser {
  const jars = new Map<string, Map<string, string>>();

  const send = async (
    url: URL,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  ): Promise<Response> => {
    const jar = jars.get(url.host) ?? new Map<string, string>();
    jars.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers: Record<string, string> = { ...init.headers, ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };

  const go = async (url: URL, form?: Record<string, string>): Promise<Page> => {
    const response = await send(url, form ? { method: 'POST', body: new URLSearchParams(form) } : {});
    const location = response.headers.get('location');
    if (location !== null && response.status >= 300 && response.status < 400)
      return go(new URL(location, url));
    return { url, status: response.status, headers: response.headers, text: await response.text() };
  };

  return {
    get: (url) => go(new URL(url)),
    post: (url, form) => go(new URL(url), form),
    async json(method, url, body) {
      const target = new URL(url);
      const headers = { origin: target.origin, 'content-type': 'application/json' };
      const response = await send(target, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
    },
  };
}

/** The value of a hidden field of the page's first form that has it. */
export function hiddenField(page: Page, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1];
  if (value === undefined) throw new Error(`no field ${name} on ${page.url.pathname}`);
  return value.replaceAll('&amp;', '&');
}

/** Opens the link of a message and logs in at the eID as this person. */
export async function logIn(
  browser: Browser,
  bookingUrl: string,
  person: { givenName: string; familyName: string; birthDate?: string },
): Promise<Page> {
  const welcome = await browser.get(bookingUrl);
  const eid = await browser.post(`${bookingUrl}/login`, { _token: hiddenField(welcome, '_token') });
  return browser.post(eid.url, { birthDate: '', ...person });
}
