import { z } from 'zod';
import { exchange, type FhirServer, FhirUnavailable, NoFhirServer, NotJson } from './exchange.ts';
import type { ResourceType } from './resources.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
/** Whoever needs it waits so long, no longer: it can be done without. */
const TIMEOUT_MS = 2_000;

export interface Metadata {
  /**
   * The server's statement, read once and kept: after a day, or a minute after a failure, it is read anew while the
   * old one still counts.
   * @throws NoFhirServer when the address is no FHIR R4 server's. Any other failure is a statement that says nothing.
   */
  statement(): Promise<CapabilityStatement>;
  /** The same without waiting: null until it is there. */
  known(): CapabilityStatement | null;
  /** Read anew. @throws FhirUnavailable when the server does not answer */
  fresh(): Promise<CapabilityStatement>;
}

export function createMetadata(server: FhirServer, url: URL, now: () => number): Metadata {
  let kept: Promise<CapabilityStatement> | null = null;
  let known: CapabilityStatement | null = null;
  let until = 0;

  const read = async (timeoutMs: number): Promise<CapabilityStatement> => {
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

  const keep = async (reading: Promise<CapabilityStatement>): Promise<CapabilityStatement> => {
    until = now() + DAY_MS;
    try {
      known = await reading;
      if (known.missing !== null) until = now() + MINUTE_MS;
    } catch (error) {
      until = now() + MINUTE_MS;
      if (error instanceof NoFhirServer) throw error;
      known = noStatement(error instanceof FhirUnavailable ? error.message : 'it could not be asked for');
    }
    return known;
  };
  const start = (reading: Promise<CapabilityStatement>): Promise<CapabilityStatement> => {
    const keeping = keep(reading);
    if (kept === null) kept = keeping;
    // Without a statement, whoever asks waits; with one, the old one counts until the new one is there.
    const settle = () => void (kept = keeping);
    keeping.then(settle, settle);
    return keeping;
  };

  return {
    statement() {
      if (now() >= until) void start(read(Math.min(server.timeoutMs, TIMEOUT_MS))).catch(() => undefined);
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

/** `unknown`: the server does not say. */
export type Ability = 'yes' | 'no' | 'unknown';

/** What a server says of itself in its CapabilityStatement, as far as it matters here. */
export interface CapabilityStatement {
  /** Null when there is none that can be read: then everything is `unknown`. */
  readonly software: string | null;
  /** Why there is none; null when there is one. */
  readonly missing: string | null;
  readonly transaction: Ability;
  readonly interaction: (
    type: ResourceType,
    code: 'read' | 'search-type' | 'create' | 'update' | 'patch',
  ) => Ability;
  /** Whether it heeds `If-Match`. */
  readonly versions: (type: ResourceType) => Ability;
  /** Whether it heeds `If-None-Exist`. */
  readonly conditionalCreate: (type: ResourceType) => Ability;
  /** @param include e.g. `Slot:schedule` */
  readonly include: (type: ResourceType, include: string) => Ability;
  readonly searchParameter: (type: ResourceType, name: string) => Ability;
}

// Whatever is not as it should be counts as not said.
const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const codes = optional(z.array(z.looseObject({ code: z.string() })));
const resourceSchema = z.looseObject({
  type: z.string(),
  interaction: codes,
  versioning: optional(z.string()),
  conditionalCreate: optional(z.boolean()),
  searchInclude: optional(z.array(z.string())),
  searchParam: optional(z.array(z.looseObject({ name: z.string() }))),
});
const statementSchema = z.looseObject({
  resourceType: z.literal('CapabilityStatement'),
  fhirVersion: optional(z.string()),
  software: optional(z.looseObject({ name: z.string(), version: optional(z.string()) })),
  implementation: optional(z.looseObject({ description: z.string() })),
  rest: optional(z.array(z.looseObject({ interaction: codes, resource: optional(z.array(resourceSchema)) }))),
});
const namedSchema = z.looseObject({ resourceType: z.string() });

export type ParsedStatement =
  | { readonly outcome: 'statement'; readonly statement: CapabilityStatement }
  /** No server for us. `what` is what it is instead. */
  | { readonly outcome: 'foreign'; readonly what: string };

export function parseStatement(raw: unknown): ParsedStatement {
  const parsed = statementSchema.safeParse(raw);
  if (!parsed.success) {
    const named = namedSchema.safeParse(raw);
    if (!named.success) return { outcome: 'foreign', what: 'JSON, but not FHIR' };
    // That is how FHIR DSTU2 called it.
    if (named.data.resourceType === 'Conformance') return { outcome: 'foreign', what: 'FHIR DSTU2' };
    return { outcome: 'statement', statement: noStatement('it is malformed') };
  }
  const { fhirVersion, software, implementation, rest = [] } = parsed.data;
  if (fhirVersion !== undefined && !fhirVersion.startsWith('4.'))
    return { outcome: 'foreign', what: `FHIR ${fhirVersion.slice(0, 20)}` };

  const resources = new Map(
    rest.flatMap(({ resource = [] }) => resource).map((resource) => [resource.type, resource]),
  );
  const listed = (list: readonly string[] | undefined, wanted: string): Ability => {
    if (list === undefined || list.length === 0) return 'unknown';
    return list.includes(wanted) || list.includes('*') ? 'yes' : 'no';
  };
  const name = [software?.name, software?.version].filter(Boolean).join(' ');
  return {
    outcome: 'statement',
    statement: {
      software: (name || implementation?.description) ?? null,
      missing: null,
      transaction: listed(
        rest.flatMap(({ interaction = [] }) => interaction.map(({ code }) => code)),
        'transaction',
      ),
      interaction: (type, code) =>
        listed(
          resources.get(type)?.interaction?.map((one) => one.code),
          code,
        ),
      versions: (type) => {
        const versioning = resources.get(type)?.versioning;
        if (versioning === undefined) return 'unknown';
        return versioning === 'versioned-update' ? 'yes' : 'no';
      },
      conditionalCreate: (type) => yesOrNo(resources.get(type)?.conditionalCreate),
      include: (type, include) => listed(resources.get(type)?.searchInclude, include),
      searchParameter: (type, parameter) =>
        listed(
          resources.get(type)?.searchParam?.map((one) => one.name),
          parameter,
        ),
    },
  };
}

/** @param why there is none */
const noStatement = (why: string): CapabilityStatement => ({
  software: null,
  missing: why,
  transaction: 'unknown',
  interaction: () => 'unknown',
  versions: () => 'unknown',
  conditionalCreate: () => 'unknown',
  include: () => 'unknown',
  searchParameter: () => 'unknown',
});

function yesOrNo(flag: boolean | undefined): Ability {
  if (flag === undefined) return 'unknown';
  return flag ? 'yes' : 'no';
}
