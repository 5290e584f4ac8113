import type { FhirServer } from './exchange.ts';
import { exchange } from './exchange.ts';
import type { Statement } from './statement.ts';
import { noStatement, parseStatement } from './statement.ts';
import { FhirUnavailable, NoFhirServer, NotJson } from './unavailable.ts';

const A_DAY = 24 * 60 * 60 * 1000;
const A_MINUTE = 60 * 1000;
/** The request that needs it waits so long, no longer: it can be done without. */
const PATIENCE = 2_000;

export interface Metadata {
  /**
   * The server's statement: read once, and again after a day, or a minute after a failure.
   * @throws NoFhirServer when the address is no FHIR R4 server's. Any other failure is a statement that says nothing.
   */
  statement(): Promise<Statement>;
  /** Read anew. @throws FhirUnavailable when the server does not answer */
  fresh(): Promise<Statement>;
}

export function createMetadata(server: FhirServer, url: URL, now: () => number): Metadata {
  let kept: { readonly statement: Promise<Statement>; until: number } | null = null;

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

  const keep = (reading: Promise<Statement>): Promise<Statement> => {
    const statement = reading.catch((error: unknown) => {
      keeping.until = now() + A_MINUTE;
      if (error instanceof NoFhirServer || !(error instanceof FhirUnavailable)) throw error;
      return noStatement(error.message);
    });
    const keeping = { statement, until: now() + A_DAY };
    kept = keeping;
    return statement;
  };

  return {
    statement: () =>
      kept !== null && now() < kept.until ? kept.statement : keep(read(Math.min(server.timeoutMs, PATIENCE))),
    async fresh() {
      const reading = read(server.timeoutMs);
      keep(reading).catch(() => undefined);
      return reading;
    },
  };
}
