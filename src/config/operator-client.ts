/** Of the operator's command line, which is to start quickly: read without the rules that a service's settings have. */
export interface OperatorClientSettings {
  /** Of the operator API, without a trailing slash. */
  readonly url: string;
}

/** @returns null when it says nothing, or no address */
export function readOperatorClientSettings(environment = process.env): OperatorClientSettings | null {
  const url = environment['OPERATOR_API_URL'] ?? '';
  return /^https?:/.test(url) && URL.canParse(url) ? { url: url.replace(/\/+$/, '') } : null;
}
