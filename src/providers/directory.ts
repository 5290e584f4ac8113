import { reasonOf } from '../domain/fault.ts';
import type { Finding } from '../domain/findings.ts';
import type { ProviderId } from '../domain/ids.ts';
import { describeSkipped } from './adapter.ts';
import type { ProviderConnection } from './auth/connection.ts';
import { type BreakerState, type GuardedBookingSystem, withBreaker } from './breaker.ts';
import { connectBookingSystem, type ConnectOptions } from './connect.ts';
import { type BookingSystem, ProviderUnavailable, type ProviderSettings } from './port.ts';

/** How soon a new registration is in use everywhere (milliseconds). */
const REFRESH_MS = 15_000;

/** A registration as it is kept. */
interface Registration {
  readonly id: ProviderId;
  readonly name: string;
  readonly kind: string;
  readonly base_url: string;
  readonly connection: ProviderConnection | null;
  readonly settings?: ProviderSettings;
}

type Write = (fields: Readonly<Record<string, unknown>>, message: string) => void;

export interface ProviderDirectoryOptions extends Pick<ConnectOptions, 'mayReach'> {
  readonly listRegistrations: () => Promise<readonly Registration[]>;
  /** The value of an environment variable that a connection names; null when it is not set. */
  readonly secretOf: (variable: string) => string | null;
  /** Nothing is told of the providers' changing state when it is left out. */
  readonly log?: Readonly<Record<'info' | 'warn' | 'error', Write>>;
  /** Told when a provider is left alone after this answer, and when it answers again (null). */
  readonly onCircuit?: (providerId: ProviderId, answer: string | null) => void;
  /** Gets what was found at providers that the operator should know of. */
  readonly note?: (finding: Finding) => void;
}

/** The providers' booking systems, as they are registered now, each behind a circuit breaker. */
export async function createProviderDirectory(options: ProviderDirectoryOptions) {
  const systems = new Map<ProviderId, GuardedBookingSystem>();
  const known = new Map<ProviderId, string>();
  /** A secret that is missing may be put there at any time. */
  const unusable = new Set<ProviderId>();

  const refresh = async () => {
    const registrations = await options.listRegistrations();
    const ids = registrations.map(({ id }) => id);
    for (const gone of [...systems.keys()].filter((id) => !ids.includes(id))) {
      systems.delete(gone);
      known.delete(gone);
      unusable.delete(gone);
    }
    for (const registration of registrations) {
      const text = JSON.stringify(registration);
      // it keeps what it learned of its server, its token and its failures, so it is made anew for a reason only
      const isNew = known.get(registration.id) !== text;
      if (!isNew && !unusable.delete(registration.id)) continue;
      known.set(registration.id, text);
      const onUnusable = (why: string) => {
        unusable.add(registration.id);
        if (isNew) options.log?.error({ providerId: registration.id, why }, 'provider registration unusable');
      };
      systems.set(registration.id, connect(registration, options, onUnusable));
    }
  };
  await refresh();
  const timer = setInterval(() => {
    void refreshNow();
  }, REFRESH_MS);
  const refreshNow = () =>
    refresh().catch((error: unknown) =>
      options.log?.warn({ reason: reasonOf(error) }, 'provider list not refreshed'),
    );

  return {
    systems: systems as ReadonlyMap<ProviderId, GuardedBookingSystem>,
    /** Reads the registrations now; it does so by itself every 15 s. */
    refresh: refreshNow,
    /** @throws ProviderUnavailable when there is no such registration (any more): whoever asks tries again */
    systemOf(id: ProviderId): BookingSystem {
      const system = systems.get(id);
      if (!system) throw new ProviderUnavailable(`no provider ${id} is registered`);
      return system;
    },
    close: () => clearInterval(timer),
  };
}

function connect(
  { base_url: baseUrl, ...registration }: Registration,
  { secretOf, mayReach, log, note, onCircuit }: ProviderDirectoryOptions,
  onUnusable: (why: string) => void,
): GuardedBookingSystem {
  const providerId = registration.id;
  const system = connectBookingSystem(
    { ...registration, baseUrl },
    {
      secretOf,
      mayReach,
      onSkipped(type, count, fault) {
        log?.warn({ providerId, type, count, fault }, 'unusable entries skipped');
        if (fault === 'not_all_read') note?.({ providerId, kind: 'incomplete_search', about: type });
        else note?.({ providerId, kind: 'malformed', about: describeSkipped(type, fault), count });
      },
      onUnusable,
    },
  );
  return withBreaker(system, {
    onChange(state, lastFailure) {
      if (state === 'closed') log?.info({ providerId, state }, LOG_MESSAGES[state]);
      else log?.warn({ providerId, state, lastFailure }, LOG_MESSAGES[state]);
      if (state !== 'half_open')
        onCircuit?.(providerId, state === 'open' ? (lastFailure ?? 'failures') : null);
    },
  });
}

const LOG_MESSAGES: Record<BreakerState, string> = {
  open: 'circuit opened',
  half_open: 'circuit half-open',
  closed: 'circuit closed',
};
