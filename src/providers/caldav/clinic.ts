import type { ProviderId } from '../../domain/ids.ts';
import type { CalDavServer } from './exchange.ts';

/** One provider's CalDAV server, as the verbs of this folder see it. */
export interface Clinic {
  readonly providerId: ProviderId;
  /** The provider's name: where to go, when an event names no place. */
  readonly name: string;
  readonly server: CalDavServer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told how many entries could not be read, and so are not shown. */
  readonly onMalformed: (type: string, count: number) => void;
}
