import type { ProviderId } from '../../domain/ids.ts';
import type { FhirClient } from '../../fhir/client.ts';

/** One provider's FHIR server, as the verbs of this folder see it. */
export interface Clinic {
  readonly providerId: ProviderId;
  /** The provider's name: where to go, when its server names no place. */
  readonly name: string;
  readonly client: FhirClient;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told how many entries of a search were malformed, and so not shown. */
  readonly onMalformed: (type: string, count: number) => void;
}
