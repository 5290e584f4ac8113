import type { caseJson } from '../../src/http/cases/case-json.ts';
import { expectDescribed } from './described.ts';

const API = '/api/v1';

export type CaseBody = ReturnType<typeof caseJson>;

export interface ErrorBody {
  readonly error: string;
  readonly statusCode: number;
  readonly details: Readonly<Record<string, unknown>> & { readonly code: string; readonly requestId: string };
}

export interface Reply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export type SentHeaders = Readonly<Record<string, string>>;

/** Somebody who calls the API. */
export interface Caller {
  /** Unless it says otherwise, each call comes from an address of its own, as the proxy in front tells it. */
  call<T = ErrorBody>(method: string, path: string, body?: unknown, headers?: SentHeaders): Promise<Reply<T>>;
  get<T = ErrorBody>(path: string, headers?: SentHeaders): Promise<Reply<T>>;
  post<T = ErrorBody>(path: string, body?: unknown, headers?: SentHeaders): Promise<Reply<T>>;
  patch<T = ErrorBody>(path: string, body: unknown): Promise<Reply<T>>;
}

let addresses = 0;
/** A client address that nobody else has. */
export const freshAddress = (): string => {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

/** Strings and buffers are sent as they are, everything else as JSON. */
export function createCaller(baseUrl: string, own: SentHeaders = {}): Caller {
  const call: Caller['call'] = async (method, path, body, headers = {}) => {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        'X-Forwarded-For': freshAddress(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...own,
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
      redirect: 'manual',
    });
    const answered = parsed(await response.text());
    const calledPath = new URL(baseUrl + path).pathname;
    if (calledPath.startsWith(API) && method !== 'HEAD') {
      expectDescribed(method, calledPath.slice(API.length), response.status, answered);
    }
    return { status: response.status, headers: response.headers, body: answered as never };
  };
  return {
    call,
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    patch: (path, body) => call('PATCH', path, body),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
