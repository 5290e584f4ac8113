import type { ProviderId } from '../../domain/ids.ts';
import type { FhirClient } from '../../fhir/client.ts';
import type { EntryFault } from '../port.ts';
import type { Memory } from './memory.ts';

/** One provider's FHIR server, as the verbs of this folder see it. */
export interface Clinic {
  readonly providerId: ProviderId;
  /** The provider's name: where to go, when its server names no place. */
  readonly name: string;
  readonly client: FhirClient;
  /** What was learned of its server, from one verb to the next. */
  readonly memory: Memory;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told what of its slots is not shown. */
  readonly onMalformed: OnMalformed;
}

/** Without what stands in the entries. `type` is the resource type. */
export type OnMalformed = (type: string, count: number, fault: EntryFault) => void;
