import { z } from 'zod';
import { ServerUnavailable, type UnavailableReason } from '../http-client/exchange.ts';
import { type FhirExchange, NoFhirServer } from './exchange.ts';
import type { ResourceType } from './resources.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Real servers take seconds to make it, and it is long: one that failed is not asked for it all the time. */
const RETRY_MS = 10 * 60 * 1000;
/** For an operator who wants to know. */
const PATIENT_MS = 30_000;

export interface MetadataOptions {
  readonly url: URL;
  /** Of the reading in the background. */
  readonly timeoutMs: number;
  readonly now: () => number;
}

export function createMetadata(send: FhirExchange, { url, timeoutMs, now }: MetadataOptions) {
  let known = NOTHING_SAID;
  let until = 0;

  const read = async (limitMs: number): Promise<CapabilityStatement> => {
    until = now() + RETRY_MS;
    const { status, body } = await send({ method: 'GET', type: 'metadata', url, timeoutMs: limitMs });
    if (status >= 400) return statementOf({ missing: `HTTP ${status}` });
    known = parseStatement(body);
    if (known.missing === null) until = now() + DAY_MS;
    return known;
  };

  return {
    /**
     * What the server says of itself, as far as it is known by now. It is read in the background, once a day, and says
     * nothing until it is there: nobody waits for it, so no outcome may depend on it.
     */
    known(): CapabilityStatement {
      // Whatever is wrong there, the verbs find out for themselves.
      if (now() >= until) read(timeoutMs).catch(() => undefined);
      return known;
    },
    /**
     * Read anew, with patience. One that can not be had says nothing.
     * @throws NoFhirServer when the address is no FHIR R4 server's; ServerUnavailable when nothing answers there
     */
    async fresh(): Promise<CapabilityStatement> {
      try {
        return await read(PATIENT_MS);
      } catch (error) {
        const isMissing = error instanceof ServerUnavailable && DISPENSABLE.has(error.reason);
        if (!isMissing || error instanceof NoFhirServer) throw error;
        return statementOf({ missing: error.message });
      }
    },
  };
}

/** A server that answers like this may do well in everything else. */
const DISPENSABLE = new Set<UnavailableReason | null>([
  null,
  'timed_out',
  'server_error',
  'forbidden',
  'wrong_server',
]);

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
  /** @param include e.g. `Appointment:slot` */
  readonly reverseInclude: (type: ResourceType, include: string) => Ability;
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
  searchRevInclude: optional(z.array(z.string())),
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
    reverseInclude: (type, include) => listed(of(type)?.searchRevInclude, include),
    searchParameter: (type, parameter) =>
      listed(
        of(type)?.searchParam?.map((one) => one.name),
        parameter,
      ),
  };
}

const NOTHING_SAID = statementOf({ missing: 'not known yet' });

function listed(list: readonly string[] | undefined, wanted: string): Ability {
  if (list === undefined || list.length === 0) return 'unknown';
  return list.includes(wanted) || list.includes('*') ? 'yes' : 'no';
}

function isSaid<T>(value: T | undefined, wanted: T): Ability {
  if (value === undefined) return 'unknown';
  return value === wanted ? 'yes' : 'no';
}
