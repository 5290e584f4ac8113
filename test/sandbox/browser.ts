export interface Page {
  readonly url: URL;
  /** 0 where the browser was sent back to, which is not asked. */
  readonly status: number;
  readonly text: string;
}

/** As much of a browser as a login needs: cookies, and redirects until it would come back to `home`. */
export function createBrowser(home: string): {
  open: (url: URL) => Promise<Page>;
  post: (url: URL, form: Record<string, string>) => Promise<Page>;
} {
  const jar = new Map<string, string>();

  async function go(url: URL, body?: URLSearchParams): Promise<Page> {
    if (url.href.startsWith(home)) return { url, status: 0, text: '' };
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const method = body === undefined ? 'GET' : 'POST';
    const response = await fetch(url, { method, body, headers: { cookie }, redirect: 'manual' });
    const text = await response.text();
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    return location === null ? { url, status: response.status, text } : go(new URL(location, url));
  }
  return { open: go, post: (url, form) => go(url, new URLSearchParams(form)) };
}
