import { z } from 'zod';
import { ServerUnavailable } from '../http-client/exchange.ts';
import { type FhirExchange, NoFhirServer, NotJson } from './exchange.ts';
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
  /** Read anew. @throws ServerUnavailable when the server does not answer */
  fresh(): Promise<CapabilityStatement>;
}

export interface MetadataOptions {
  readonly url: URL;
  readonly timeoutMs: number;
  readonly now: () => number;
}

export function createMetadata(send: FhirExchange, { url, timeoutMs, now }: MetadataOptions): Metadata {
  let kept: Promise<CapabilityStatement> | null = null;
  let known: CapabilityStatement | null = null;
  let until = 0;

  const read = async (limitMs: number): Promise<CapabilityStatement> => {
    const request = { method: 'GET', type: 'metadata', url, timeoutMs: limitMs } as const;
    const { status, body } = await send(request).catch((error: unknown) => {
      if (error instanceof NotJson && error.instead !== null) throw new NoFhirServer(error.instead);
      throw error;
    });
    return status >= 400 ? statementOf({ missing: `HTTP ${status}` }) : parseStatement(body);
  };

  const keep = async (reading: Promise<CapabilityStatement>): Promise<CapabilityStatement> => {
    until = now() + DAY_MS;
    try {
      known = await reading;
      if (known.missing !== null) until = now() + MINUTE_MS;
    } catch (error) {
      until = now() + MINUTE_MS;
      if (error instanceof NoFhirServer) throw error;
      known = statementOf({
        missing: error instanceof ServerUnavailable ? error.message : 'it could not be asked for',
      });
    }
    return known;
  };
  const start = (reading: Promise<CapabilityStatement>): void => {
    const keeping = keep(reading);
    if (kept === null) kept = keeping;
    // Without a statement, whoever asks waits; with one, the old one counts until the new one is there.
    const settle = () => void (kept = keeping);
    keeping.then(settle, settle);
  };

  return {
    statement() {
      if (now() >= until) start(read(Math.min(timeoutMs, TIMEOUT_MS)));
      return kept ?? Promise.resolve(statementOf({ missing: 'not asked for' }));
    },
    known: () => known,
    fresh() {
      const reading = read(timeoutMs);
      start(reading);
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

/** @throws NoFhirServer when it is something else's */
export function parseStatement(raw: unknown): CapabilityStatement {
  const parsed = statementSchema.safeParse(raw);
  if (!parsed.success) {
    const named = namedSchema.safeParse(raw);
    if (!named.success) throw new NoFhirServer('JSON, but not FHIR');
    // That is how FHIR DSTU2 called it.
    if (named.data.resourceType === 'Conformance') throw new NoFhirServer('FHIR DSTU2');
    return statementOf({ missing: 'it is malformed' });
  }
  const { fhirVersion } = parsed.data;
  if (fhirVersion !== undefined && !fhirVersion.startsWith('4.'))
    throw new NoFhirServer(`FHIR ${fhirVersion.slice(0, 20)}`);
  return statementOf({ missing: null, ...parsed.data });
}

/** One that says nothing knows nothing. */
function statementOf({
  missing,
  software,
  implementation,
  rest = [],
}: { readonly missing: string | null } & Partial<z.infer<typeof statementSchema>>): CapabilityStatement {
  const resources = rest.flatMap(({ resource = [] }) => resource);
  const of = (type: ResourceType) => resources.findLast((resource) => resource.type === type);
  const codesIn = (list: z.infer<typeof codes>) => list?.map(({ code }) => code);
  const name = [software?.name, software?.version].filter(Boolean).join(' ');
  return {
    software: (name || implementation?.description) ?? null,
    missing,
    transaction: listed(codesIn(rest.flatMap(({ interaction = [] }) => interaction)), 'transaction'),
    interaction: (type, code) => listed(codesIn(of(type)?.interaction), code),
    versions: (type) => isSaid(of(type)?.versioning, 'versioned-update'),
    conditionalCreate: (type) => isSaid(of(type)?.conditionalCreate, true),
    include: (type, include) => listed(of(type)?.searchInclude, include),
    searchParameter: (type, parameter) =>
      listed(
        of(type)?.searchParam?.map((one) => one.name),
        parameter,
      ),
  };
}

function listed(list: readonly string[] | undefined, wanted: string): Ability {
  if (list === undefined || list.length === 0) return 'unknown';
  return list.includes(wanted) || list.includes('*') ? 'yes' : 'no';
}

function isSaid<T>(value: T | undefined, wanted: T): Ability {
  if (value === undefined) return 'unknown';
  return value === wanted ? 'yes' : 'no';
}
