/**
 * The server did not answer, or not so that the outcome is known: no connection, a time-out, a 5xx or 429, our own
 * credentials refused (the operator mends those; until then trying again is right), or a success that isn't FHIR.
 */
export class FhirUnavailable extends Error {
  override readonly name = 'FhirUnavailable';
  /** Seconds that the server asked us to wait, if it did. */
  readonly retryAfterSeconds: number | null;
  /** Of the answer, if there was one and it says why. */
  readonly status: number | null;

  /** `message` is method, resource type and status only: URLs and bodies can hold personal data. */
  constructor(message: string, retryAfterSeconds: number | null = null, status: number | null = null) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.status = status;
  }
}

/** A search that the server does not do: another one may do. */
export class SearchRefused extends FhirUnavailable {}

/** A success that is no JSON. */
export class NotJson extends FhirUnavailable {
  /** Null for half a JSON, which can be an accident. */
  readonly instead: 'HTML' | 'XML' | null;

  constructor(message: string, body: string) {
    super(message);
    const isMarkup = body.trimStart().startsWith('<');
    this.instead = isMarkup ? (/<html|<!doctype html/i.test(body) ? 'HTML' : 'XML') : null;
  }
}

/** What answers there is no FHIR R4 server: the address is wrong, or a proxy answers in its place. */
export class NoFhirServer extends FhirUnavailable {
  constructor(what: string) {
    super(`this is no FHIR R4 server: it answers with ${what}. Check the base URL`);
  }
}

/** @returns seconds from now of a `Retry-After` header (RFC 9110 §10.2.3: seconds or a date), null when it has none. */
export function retryAfterSeconds(header: string | null, now: number = Date.now()): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}
