import type { ProviderId } from '../domain/ids.ts';
import { createFhirBookingSystem } from './fhir/booking-system.ts';
import type { BookingSystem } from './port.ts';

/** A provider as the operator registered it. */
export interface ProviderRegistration {
  readonly id: ProviderId;
  readonly name: string;
  /** What its booking system speaks: one folder here per kind. */
  readonly kind: 'fhir';
  readonly baseUrl: string;
  readonly bearerToken?: string | null;
}

export interface BookingSystemsOptions {
  /** For one request to a provider, in milliseconds. */
  readonly timeoutMs?: number;
  /** Told of entries that a provider sent and that could not be read, without what stands in them. */
  readonly onMalformed?: (providerId: ProviderId, type: string, count: number) => void;
}

export const createBookingSystems = (
  registrations: readonly ProviderRegistration[],
  options: BookingSystemsOptions = {},
): Map<ProviderId, BookingSystem> =>
  new Map(
    registrations.map((registration) => [registration.id, CONNECT[registration.kind](registration, options)]),
  );

type Connect = (registration: ProviderRegistration, options: BookingSystemsOptions) => BookingSystem;

const CONNECT: Record<ProviderRegistration['kind'], Connect> = {
  fhir: ({ id, name, baseUrl, bearerToken }, { timeoutMs, onMalformed }) =>
    createFhirBookingSystem({
      providerId: id,
      name,
      baseUrl,
      ...(bearerToken ? { headers: async () => ({ authorization: `Bearer ${bearerToken}` }) } : {}),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(onMalformed ? { onMalformed: (type: string, count: number) => onMalformed(id, type, count) } : {}),
    }),
};
