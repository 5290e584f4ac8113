import type { FhirServer } from './exchange.ts';
import { exchange } from './exchange.ts';
import type { Statement } from './statement.ts';
import { noStatement, parseStatement } from './statement.ts';
import { FhirUnavailable, NoFhirServer, NotJson } from './unavailable.ts';

const A_DAY = 24 * 60 * 60 * 1000;
const A_MINUTE = 60 * 1000;
/** Whoever needs it waits so long, no longer: it can be done without. */
const PATIENCE = 2_000;

export interface Metadata {
  /**
   * The server's statement, read once and kept: after a day, or a minute after a failure, it is read anew while the
   * old one still counts.
   * @throws NoFhirServer when the address is no FHIR R4 server's. Any other failure is a statement that says nothing.
   */
  statement(): Promise<Statement>;
  /** The same without waiting: null until it is there. */
  known(): Statement | null;
  /** Read anew. @throws FhirUnavailable when the server does not answer */
  fresh(): Promise<Statement>;
}

export function createMetadata(server: FhirServer, url: URL, now: () => number): Metadata {
  let kept: Promise<Statement> | null = null;
  let known: Statement | null = null;
  let until = 0;

  const read = async (timeoutMs: number): Promise<Statement> => {
    const request = { method: 'GET', type: 'metadata', url } as const;
    const answer = await exchange({ ...server, timeoutMs }, request).catch((error: unknown) => {
      if (error instanceof NotJson && error.instead !== null) throw new NoFhirServer(error.instead);
      throw error;
    });
    if (answer.status >= 400) return noStatement(`HTTP ${answer.status}`);
    const parsed = parseStatement(answer.body);
    if (parsed.outcome === 'foreign') throw new NoFhirServer(parsed.what);
    return parsed.statement;
  };

  const keep = async (reading: Promise<Statement>): Promise<Statement> => {
    until = now() + A_DAY;
    try {
      known = await reading;
      if (known.missing !== null) until = now() + A_MINUTE;
    } catch (error) {
      until = now() + A_MINUTE;
      if (error instanceof NoFhirServer) throw error;
      known = noStatement(error instanceof FhirUnavailable ? error.message : 'it could not be asked for');
    }
    return known;
  };
  const start = (reading: Promise<Statement>): Promise<Statement> => {
    const keeping = keep(reading);
    if (kept === null) kept = keeping;
    // Without a statement, whoever asks waits; with one, the old one counts until the new one is there.
    const settle = () => void (kept = keeping);
    keeping.then(settle, settle);
    return keeping;
  };

  return {
    statement() {
      if (now() >= until) void start(read(Math.min(server.timeoutMs, PATIENCE))).catch(() => undefined);
      return kept ?? Promise.resolve(noStatement('not asked for'));
    },
    known: () => known,
    fresh() {
      const reading = read(server.timeoutMs);
      start(reading).catch(() => undefined);
      return reading;
    },
  };
}
