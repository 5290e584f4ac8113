/** A browser without a screen: it keeps cookies by host, follows redirects, and waits for clinics that are late. */
export interface Page {
  readonly url: URL;
  /** 0 where the browser was sent back to, which is not asked. */
  readonly status: number;
  readonly text: string;
}

export interface Browser {
  get(url: string | URL): Promise<Page>;
  post(url: string | URL, form: Record<string, string>, headers?: Record<string, string>): Promise<Page>;
  /** As our own pages' script would: JSON, with the cookies and the origin of `url`. */
  json(
    method: string,
    url: string | URL,
    body?: unknown,
  ): Promise<{ status: number; headers: Headers; body: Json }>;
}

// what tests look into; each look is an assertion of its own
export type Json = any;

const MOST_REDIRECTS = 20;

/** Where the page of times leads when a clinic is late: to the same with all, which its script fetches; else null. */
export const completeOf = (text: string): string | null =>
  /<p id="awaited">[^<]*<a[^>]*href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null;

/**
 * @param home whose pages are not asked: to come there is where a login at the eID ends
 * @param address where the browser is at each request, for a service that asks a proxy
 */
export function openBrowser(home?: string, address?: () => string): Browser {
  const jars = new Map<string, Map<string, string>>();

  const send = async (
    url: URL,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  ): Promise<Response> => {
    const jar = jars.get(url.host) ?? new Map<string, string>();
    jars.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers: Record<string, string> = {
      ...init.headers,
      ...(cookie === '' ? {} : { cookie }),
      ...(address === undefined ? {} : { 'x-forwarded-for': address() }),
    };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };

  const go = async (
    from: string | URL,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Page> => {
    let url = new URL(from);
    let body = form && new URLSearchParams(form);
    for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
      if (home !== undefined && url.href.startsWith(home)) return { url, status: 0, text: '' };
      const response = await send(url, body ? { method: 'POST', body, headers } : {});
      const text = await response.text();
      const location = response.headers.get('location');
      if (location === null || response.status < 300 || response.status >= 400) {
        const complete = completeOf(text);
        if (complete === null) return { url, status: response.status, text };
        return { url, status: response.status, text: await (await send(new URL(complete, url), {})).text() };
      }
      url = new URL(location, url);
      body = undefined;
    }
    throw new Error(`sent around without end, at last to ${url.href}`);
  };

  return {
    get: (url) => go(url),
    post: (url, form, headers) => go(url, form, headers),
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
