import pTimeout from 'p-timeout';
import type { ProviderId } from '../domain/ids.ts';
import type { Slot } from '../domain/slot.ts';
import type { ServerOptions } from '../http-client/exchange.ts';
import type { FhirAdapterOptions } from './adapter.ts';
import { type ProviderConnection, UnusableConnection } from './auth/connection.ts';
import { createCredentials } from './auth/credentials.ts';
import { createCalDavBookingSystem } from './caldav/booking-system.ts';
import { inOperatorsWords } from './details.ts';
import { createFhirBookingSystem } from './fhir/booking-system.ts';
import {
  type BookingSystem,
  type ProviderSettings,
  ProviderUnavailable,
  type SlotQuery,
  USUAL_SETTINGS,
  wrapEachVerb,
} from './port.ts';

/** A provider as the operator registered it. */
export interface ProviderRegistration {
  readonly id: ProviderId;
  readonly name: string;
  /** What its booking system speaks: one folder here per kind, see `CONNECT` below. */
  readonly kind: string;
  readonly baseUrl: string;
  /** How it is shown who we are; nothing is shown when left out, and null is one that can not be read. */
  readonly connection?: ProviderConnection | null;
  readonly settings?: ProviderSettings;
}

export interface ConnectOptions
  extends
    Partial<Pick<FhirAdapterOptions, 'onSkipped' | 'onSearched' | 'now'>>,
    Pick<ServerOptions, 'transport'> {
  /** In place of the provider's own, for tests. */
  readonly timeoutMs?: number;
  /** The value of an environment variable that a connection names; null when it is not set. */
  readonly secretOf?: (variable: string) => string | null;
  /** Whether requests may go to this host, as `URL.hostname` has it; to every one when it is left out. */
  readonly mayReach?: ((hostname: string) => boolean) | undefined;
  /** Told that the provider can not be spoken to as it is registered. `why` names no secret. */
  readonly onUnusable?: (why: string) => void;
}

const CONNECT = { fhir: createFhirBookingSystem, caldav: createCalDavBookingSystem };
export const PROVIDER_KINDS: readonly string[] = Object.keys(CONNECT);
const isKind = (kind: string): kind is keyof typeof CONNECT => Object.hasOwn(CONNECT, kind);

/** One booking system; one that can not be used answers each verb with ProviderUnavailable, until its registration is mended. */
export function connectBookingSystem(
  { id: providerId, name, kind, baseUrl, connection = { auth: 'none' }, settings = {} }: ProviderRegistration,
  { secretOf = () => null, mayReach = () => true, onUnusable, ...options }: ConnectOptions = {},
): BookingSystem {
  const { searchTimeoutMs, requestTimeoutMs, ...own } = { ...USUAL_SETTINGS, ...settings };
  try {
    if (!isKind(kind)) throw new UnusableConnection(`the kind "${kind}" of booking system is not known`);
    if (connection === null) throw new UnusableConnection('its connection can not be read');
    for (const url of [baseUrl, 'tokenUrl' in connection && connection.tokenUrl]) {
      const host = url ? new URL(url).hostname : null;
      if (host !== null && !mayReach(host))
        throw new UnusableConnection(`${host} is none of the hosts that EGRESS_HOSTS allows`);
    }
    const credentials = createCredentials(connection, { baseUrl, secretOf });
    const connected = CONNECT[kind]({
      timeoutMs: requestTimeoutMs,
      now: Date.now,
      onSkipped: () => undefined,
      onSearched: () => undefined,
      ...{ serviceOnSlots: false, unnamedTreatment: null, ...own },
      ...options,
      providerId,
      name,
      baseUrl,
      headers: credentials.headers,
      onUnauthorized: credentials.refused,
    });
    const system = inOperatorsWords(connected, settings);
    return { ...system, search: (query) => searchWithin(searchTimeoutMs, system, query) };
  } catch (error) {
    if (!(error instanceof UnusableConnection)) throw error;
    onUnusable?.(error.message);
    return wrapEachVerb(() => Promise.reject(new ProviderUnavailable(error.message)));
  }
}

/** Pages, names and a token included. @throws ProviderUnavailable after that time, at a system that heeds its signal or not */
const searchWithin = (limitMs: number, system: BookingSystem, query: SlotQuery): Promise<Slot[]> => {
  const timeout = new AbortController();
  const signal = query.signal ? AbortSignal.any([query.signal, timeout.signal]) : timeout.signal;
  return pTimeout(system.search({ ...query, signal }), {
    milliseconds: limitMs,
    fallback() {
      timeout.abort();
      throw new ProviderUnavailable(`search timed out after ${limitMs} ms`, { reason: 'timed_out' });
    },
  });
};
