import { z } from 'zod';
import type { ResourceType } from './resources.ts';

/** `unknown`: the server does not say. */
export type Ability = 'yes' | 'no' | 'unknown';

/** What a server says of itself in its CapabilityStatement, as far as it matters here. */
export interface Statement {
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
const said = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const codes = said(z.array(z.looseObject({ code: z.string() })));
const resourceSchema = z.looseObject({
  type: z.string(),
  interaction: codes,
  versioning: said(z.string()),
  conditionalCreate: said(z.boolean()),
  searchInclude: said(z.array(z.string())),
  searchParam: said(z.array(z.looseObject({ name: z.string() }))),
});
const statementSchema = z.looseObject({
  resourceType: z.literal('CapabilityStatement'),
  fhirVersion: said(z.string()),
  software: said(z.looseObject({ name: z.string(), version: said(z.string()) })),
  implementation: said(z.looseObject({ description: z.string() })),
  rest: said(z.array(z.looseObject({ interaction: codes, resource: said(z.array(resourceSchema)) }))),
});
const namedSchema = z.looseObject({ resourceType: z.string() });

export type Parsed =
  | { readonly outcome: 'statement'; readonly statement: Statement }
  /** No server for us. `what` is what it is instead. */
  | { readonly outcome: 'foreign'; readonly what: string };

export function parseStatement(raw: unknown): Parsed {
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
export const noStatement = (why: string): Statement => ({
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
