const MOST_PAGES = 20;

/**
 * Goes to the operators' login server as a browser would, is the given colleague there, and says yes to what it asks.
 *
 * @param at where the login begins: an authorization URL, or where a device flow says to go (with the code in it)
 * @param home what begins so is not asked any more: the callback of the code flow
 * @returns where it ends: the callback's URL, or the last page
 */
export async function visitLogin(at: string, colleague: string, home?: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(at);
  let form: URLSearchParams | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    if (home !== undefined && url.href.startsWith(home)) return url;
    const answer: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === null ? {} : { method: 'POST', body: form }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await answer.text();
    if (answer.status >= 400) throw new Error(`the login server answers ${answer.status} at ${url.pathname}`);
    const location = answer.headers.get('location');
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(text) ?? [];
    if (location === null && action === undefined) return url;
    url = new URL(location ?? action?.replaceAll('&amp;', '&') ?? '', url);
    form = location === null ? fieldsOf(text, colleague) : null;
  }
  throw new Error(`sent around without end, at last to ${url.href}`);
}

/** Of the page's first form: what it holds already, and the one thing that is chosen. */
function fieldsOf(text: string, colleague: string): URLSearchParams {
  const [form = ''] = /<form[\s\S]*?<\/form>/.exec(text) ?? [];
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return new URLSearchParams([
    ...hidden.map(([, name = '', value = '']): [string, string] => [name, value]),
    ...(form.includes('name="colleague"') ? [['colleague', colleague] satisfies [string, string]] : []),
  ]);
}
