import { freshAddress } from '../support/caller.ts';
import type { Json } from '../support/browser.ts';
import { MARKS } from './marks.ts';
import type { Reading } from './readings.ts';

export interface Heard {
  readonly status: number;
  readonly text: string;
  readonly body: Json;
  readonly headers: Headers;
}

/** Sends a body as it is where it is a string, a form where it is one, and all else as JSON. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Heard>;

/** Calls the service as a marked browser at a marked address, and keeps what errors, redirects and headers say. */
export function createListener(web: string): { readonly call: Call; readonly heard: Reading[] } {
  const heard: Reading[] = [];
  const call: Call = async (method, path, body, headers = {}) => {
    const isForm = body instanceof URLSearchParams;
    const response = await fetch(web + path, {
      method,
      redirect: 'manual',
      headers: {
        'user-agent': MARKS.userAgent,
        'x-forwarded-for': `${MARKS.address}, ${freshAddress()}`,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const where = `${method} ${path.split('?')[0] ?? ''}: ${response.status}`;
    heard.push({ where: `the headers of ${where}`, text: JSON.stringify([...response.headers]) });
    if (response.status >= 400) heard.push({ where: `the error of ${where}`, text: withoutFields(text) });
    return { status: response.status, text, body: parsedOrNull(text), headers: response.headers };
  };
  return { call, heard };
}

/** A form that is shown again has what its own visitor typed. */
const withoutFields = (html: string): string =>
  html.replace(/(<textarea[^>]*>)[^<]*|( value=)"[^"]*"/g, '$1$2');

function parsedOrNull(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
