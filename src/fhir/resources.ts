import type {
  Appointment,
  Coverage,
  HealthcareService,
  Location,
  Patient,
  Practitioner,
  PractitionerRole,
  Reference,
  Schedule,
  ServiceRequest,
  Slot,
} from 'fhir/r4.d.ts';
import { z } from 'zod';

/** The resources that this client reads and writes: of scheduling, and of policies and referrals. */
export interface ResourceOf {
  Appointment: Appointment;
  Coverage: Coverage;
  HealthcareService: HealthcareService;
  Location: Location;
  Patient: Patient;
  Practitioner: Practitioner;
  PractitionerRole: PractitionerRole;
  Schedule: Schedule;
  ServiceRequest: ServiceRequest;
  Slot: Slot;
}
export type ResourceType = keyof ResourceOf;
/** A resource as it came from a server: it has an id, and what its schema below says. */
export type Known<T extends ResourceType> = ResourceOf[T] & { id: string };
export type AnyKnown = { [T in ResourceType]: Known<T> }[ResourceType];

// Lenient: only what is read is looked at, and what is unknown is kept, since an update writes the whole resource.
const text = z.string().optional();
const coding = z.looseObject({ system: text, code: text, display: text });
const concept = z.looseObject({ coding: z.array(coding).optional(), text });
const identifier = z.looseObject({ system: text, value: text });
const reference = z.looseObject({ reference: text, display: text });
// FHIR writes null into a list of primitives where an element has only an extension.
const words = z.array(z.string().nullable()).optional();
const extension = z.array(z.looseObject({ url: text, valueString: text })).optional();
const humanName = z.looseObject({ use: text, text, family: text, given: words, prefix: words, extension });
const instant = z.iso.datetime({ offset: true });
/** FHIR's dateTime: a year, a month, a day, or an instant. */
const dateTime = z.union([z.string().regex(/^\d{4}(-(0[1-9]|1[0-2]))?$/), z.iso.date(), instant]);
const period = z.looseObject({ start: dateTime.optional(), end: dateTime.optional() });

const base = {
  id: z.string().regex(/^[\w.-]+$/),
  meta: z.looseObject({ versionId: text }).optional(),
  identifier: z.array(identifier).optional(),
  contained: z.array(z.unknown()).optional(),
};

const schemas = {
  Appointment: z.looseObject({
    ...base,
    status: z.string(),
    slot: z.array(reference).optional(),
    // Any text: an appointment that is left out for its time would be booked once more.
    start: text,
    end: text,
    participant: z.array(z.looseObject({ actor: reference.optional() })).optional(),
  }),
  Coverage: z.looseObject({
    ...base,
    status: z.string(),
    beneficiary: reference,
    period: period.optional(),
  }),
  HealthcareService: z.looseObject({
    ...base,
    type: z.array(concept).optional(),
    specialty: z.array(concept).optional(),
  }),
  Location: z.looseObject({
    ...base,
    name: text,
    address: z.looseObject({ text, line: words, postalCode: text, city: text }).optional(),
    type: z.array(concept).optional(),
    physicalType: concept.optional(),
  }),
  Patient: z.looseObject({
    ...base,
    name: z.array(humanName).optional(),
    telecom: z.array(z.looseObject({ system: text, value: text })).optional(),
  }),
  Practitioner: z.looseObject({ ...base, name: z.array(humanName).optional() }),
  PractitionerRole: z.looseObject({
    ...base,
    practitioner: reference.optional(),
    location: z.array(reference).optional(),
    healthcareService: z.array(reference).optional(),
    specialty: z.array(concept).optional(),
    code: z.array(concept).optional(),
  }),
  Schedule: z.looseObject({
    ...base,
    actor: z.array(reference),
    serviceCategory: z.array(concept).optional(),
    serviceType: z.array(concept).optional(),
  }),
  ServiceRequest: z.looseObject({
    ...base,
    status: z.string(),
    doNotPerform: z.boolean().optional(),
    subject: reference,
    code: concept.optional(),
    category: z.array(concept).optional(),
    authoredOn: dateTime.optional(),
    occurrencePeriod: period.optional(),
  }),
  Slot: z.looseObject({
    ...base,
    schedule: reference,
    status: z.string(),
    start: instant,
    end: instant,
    serviceCategory: z.array(concept).optional(),
    serviceType: z.array(concept).optional(),
    appointmentType: concept.optional(),
  }),
} satisfies Record<ResourceType, z.ZodType>;

export const isInstant = (value: string | undefined): value is string => instant.safeParse(value).success;

/** What a resource says that it is: looked at for each of thousands, so without a schema, which would copy them. */
export function typeOf(raw: unknown): string | null {
  const type = (raw as { readonly resourceType?: unknown } | null | undefined)?.resourceType;
  return typeof type === 'string' ? type : null;
}

export const isKnownType = (type: string): type is ResourceType => Object.hasOwn(schemas, type);

/** @returns the resource as it came, every element kept, or null when it is malformed or of no type we know. */
export function parseResource(raw: unknown): AnyKnown | null {
  const type = typeOf(raw);
  if (type === null || !isKnownType(type)) return null;
  return schemas[type].safeParse(raw).success ? (raw as AnyKnown) : null;
}

/** The weak ETag of the version at hand, for `If-Match`; null where the server keeps no versions. */
export const etagOf = (resource: AnyKnown): string | null =>
  resource.meta?.versionId === undefined ? null : `W/"${resource.meta.versionId}"`;

/** `Type/id` of a reference, which may be absolute or name a version; null for a contained or logical one. */
export const relativeReference = (reference: Reference | undefined): string | null =>
  /(?:^|\/)([A-Z][A-Za-z]+\/[\w.-]+)(?:\/_history\/[\w.-]+)?$/.exec(reference?.reference ?? '')?.[1] ?? null;
