import type { Reference } from 'fhir/r4.d.ts';

/** `Type/id` of a reference, which may be absolute or name a version; null for a contained or logical one. */
export const relative = (reference: Reference | undefined): string | null =>
  /(?:^|\/)([A-Z][A-Za-z]+\/[\w.-]+)(?:\/_history\/[\w.-]+)?$/.exec(reference?.reference ?? '')?.[1] ?? null;
