import type { ProviderId } from '../domain/ids.ts';
import { type ProviderConnection, UnusableConnection } from './auth/connection.ts';
import { createCredentials, type Credentials } from './auth/credentials.ts';
import { createCalDavBookingSystem } from './caldav/booking-system.ts';
import { createFhirBookingSystem } from './fhir/booking-system.ts';
import { type BookingSystem, type EntryFault, ProviderUnavailable, wrapEachVerb } from './port.ts';

/** A provider as the operator registered it. */
export interface ProviderRegistration {
  readonly id: ProviderId;
  readonly name: string;
  /** What its booking system speaks: one folder here per kind, see `CONNECT` below. */
  readonly kind: string;
  readonly baseUrl: string;
  /** How it is shown who we are; nothing is shown when left out, and null is one that can not be read. */
  readonly connection?: ProviderConnection | null;
}

export interface BookingSystemsOptions {
  /** The value of an environment variable that a connection names; null when it is not set. */
  readonly secretOf?: (variable: string) => string | null;
  /** For one request to a provider, in milliseconds. */
  readonly timeoutMs?: number;
  /** Told of entries that a provider sent and that could not be read, without what stands in them. */
  readonly onMalformed?: OnMalformed;
  /** Told of a provider that can not be spoken to as it is registered. `why` names no secret. */
  readonly onUnusable?: (providerId: ProviderId, why: string) => void;
}

export type OnMalformed = (providerId: ProviderId, type: string, count: number, fault: EntryFault) => void;

/** What is left out, e.g. `Slot (names_nobody)`; what can't be read goes by its type alone. */
export const describeSkipped = (type: string, fault: EntryFault): string =>
  fault === 'malformed' ? type : `${type} (${fault})`;

/** Every provider has its booking system here; one that can not be used answers each verb with ProviderUnavailable. */
export const createBookingSystems = (
  registrations: readonly ProviderRegistration[],
  options: BookingSystemsOptions = {},
): Map<ProviderId, BookingSystem> =>
  new Map(
    registrations.map((registration) => [registration.id, connectBookingSystem(registration, options)]),
  );

/** One booking system, registered or not. */
export function connectBookingSystem(
  registration: ProviderRegistration,
  options: BookingSystemsOptions = {},
): BookingSystem {
  const { id, kind, baseUrl, connection = { auth: 'none' } } = registration;
  try {
    if (!isKind(kind)) throw new UnusableConnection(`the kind "${kind}" of booking system is not known`);
    if (connection === null) throw new UnusableConnection('its connection can not be read');
    const { secretOf = () => null } = options;
    const credentials = createCredentials(connection, { baseUrl, secretOf });
    return CONNECT[kind](registration, credentials, options);
  } catch (error) {
    if (!(error instanceof UnusableConnection)) throw error;
    options.onUnusable?.(id, error.message);
    return unusableBookingSystem(error.message);
  }
}

type Connect = (
  registration: ProviderRegistration,
  credentials: Credentials,
  options: BookingSystemsOptions,
) => BookingSystem;

/** What every kind is told, whatever it speaks. */
const commonOptions = (
  { id, name, baseUrl }: ProviderRegistration,
  credentials: Credentials,
  { timeoutMs }: BookingSystemsOptions,
) => ({
  providerId: id,
  name,
  baseUrl,
  headers: () => credentials.headers(),
  onUnauthorized: (sent: Parameters<Credentials['refused']>[0]) => credentials.refused(sent),
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
});

const CONNECT = {
  fhir: (registration, credentials, { onMalformed, ...options }) =>
    createFhirBookingSystem({
      ...commonOptions(registration, credentials, options),
      ...(onMalformed ? { onMalformed: (...what) => onMalformed(registration.id, ...what) } : {}),
    }),
  caldav: (registration, credentials, { onMalformed, ...options }) =>
    createCalDavBookingSystem({
      ...commonOptions(registration, credentials, options),
      ...(onMalformed
        ? {
            onMalformed: (type: string, count: number) =>
              onMalformed(registration.id, type, count, 'malformed'),
          }
        : {}),
    }),
} satisfies Record<string, Connect>;

export const PROVIDER_KINDS: readonly string[] = Object.keys(CONNECT);
const isKind = (kind: string): kind is keyof typeof CONNECT => Object.hasOwn(CONNECT, kind);

/** A booking system that is registered, but can not be spoken to until somebody mends its registration. */
const unusableBookingSystem = (why: string): BookingSystem =>
  wrapEachVerb(() => Promise.reject(new ProviderUnavailable(why)));
