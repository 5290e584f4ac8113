import type { Logger } from 'pino';
import { readCredential } from '../config/settings.ts';
import type { Finding } from '../domain/findings.ts';
import type { ProviderId } from '../domain/ids.ts';
import type { Database } from '../postgres/database.ts';
import { listProviders, type ProviderRow } from '../postgres/providers.ts';
import { type BreakerState, type GuardedBookingSystem, withBreaker } from '../providers/breaker.ts';
import { connectBookingSystem, describeSkipped } from '../providers/connect.ts';
import { type BookingSystem, ProviderUnavailable } from '../providers/port.ts';

/** How soon a new registration is in use everywhere (milliseconds). */
const REFRESH_MS = 15_000;

/** The providers' booking systems, as they are registered now. One that is known to be away is left alone for a while. */
export interface ProviderDirectory {
  readonly systems: ReadonlyMap<ProviderId, GuardedBookingSystem>;
  /** @throws ProviderUnavailable when there is no such registration (any more): whoever asks tries again */
  systemOf(id: ProviderId): BookingSystem;
  close(): void;
}

/** @param note gets what was found at providers that the operator should know of */
export async function createProviderDirectory(
  database: Database,
  log: Logger,
  note: (finding: Finding) => void = () => undefined,
): Promise<ProviderDirectory> {
  const systems = new Map<ProviderId, GuardedBookingSystem>();
  const known = new Map<ProviderId, string>();

  const refresh = async () => {
    const rows = await listProviders(database);
    const ids = rows.map(({ id }) => id);
    for (const gone of [...systems.keys()].filter((id) => !ids.includes(id))) {
      systems.delete(gone);
      known.delete(gone);
    }
    for (const row of rows) {
      const text = JSON.stringify(row);
      // it keeps what it learned of its server, its token and its failures, so it is made anew for a reason only
      if (known.get(row.id) === text) continue;
      known.set(row.id, text);
      systems.set(row.id, connect(row, log, note));
    }
  };
  await refresh();
  const timer = setInterval(() => {
    refresh().catch((error: unknown) =>
      log.warn({ fault: error instanceof Error ? error.name : null }, 'providers not refreshed'),
    );
  }, REFRESH_MS);

  return {
    systems,
    systemOf(id) {
      const system = systems.get(id);
      if (!system) throw new ProviderUnavailable(`no provider ${id} is registered`);
      return system;
    },
    close: () => clearInterval(timer),
  };
}

function connect(
  { base_url: baseUrl, ...row }: ProviderRow,
  log: Logger,
  note: (finding: Finding) => void,
): GuardedBookingSystem {
  const providerId = row.id;
  const system = connectBookingSystem(
    { ...row, baseUrl },
    {
      secretOf: readCredential,
      onMalformed(_, type, count, fault) {
        log.warn({ providerId, type, count, fault }, 'entries left out');
        if (fault === 'not_all_read') note({ providerId, kind: 'incomplete_search', about: type });
        else note({ providerId, kind: 'malformed', about: describeSkipped(type, fault), count });
      },
      onUnusable: (_, why) =>
        log.error({ providerId, why }, 'a provider can not be reached as it is registered'),
    },
  );
  return withBreaker(system, {
    onChange(state, lastFailure) {
      if (state === 'closed') log.info({ providerId, state }, LOG_MESSAGES[state]);
      else log.warn({ providerId, state, lastFailure }, LOG_MESSAGES[state]);
    },
  });
}

const LOG_MESSAGES: Record<BreakerState, string> = {
  open: 'a provider fails time after time, and is left alone for a while',
  half_open: 'a provider is tried again',
  closed: 'a provider answers again',
};
