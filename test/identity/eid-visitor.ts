/** What the visitor fills in, or that the visitor declines. */
export type Answer = Readonly<Record<string, string>> | 'cancel';

/** A browser at the eID: keeps cookies, fills in the form that it meets, and comes back with the callback's URL. */
export async function logInAt(authorizationUrl: string, redirectUri: string, answer: Answer): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = authorizationUrl;
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 20; step += 1) {
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const body = await response.text();
    const location = response.headers.get('Location');
    if (location !== null) {
      url = new URL(location, url).href;
      form = null;
      if (url.startsWith(redirectUri)) return new URL(url);
    } else {
      const actions = [...body.matchAll(/<form[^>]*action="([^"]+)"/g)].map(([, action = '']) => action);
      const action = actions.find((action) => action.endsWith('/cancel') === (answer === 'cancel'));
      if (action === undefined) throw new Error(`no such form at the eID, but ${response.status}`);
      url = new URL(action.replaceAll('&amp;', '&'), url).href;
      form = new URLSearchParams(answer === 'cancel' ? {} : answer);
    }
  }
  throw new Error('lost at the eID');
}
