import type { Logger } from 'pino';
import { credential } from './config.ts';
import type { ProviderId } from './domain/ids.ts';
import { providers } from './postgres/catalogue.ts';
import type { Database } from './postgres/database.ts';
import { createBookingSystems } from './providers/index.ts';
import { ProviderUnavailable, type BookingSystem } from './providers/port.ts';

/** How soon a new registration is in use everywhere (milliseconds). */
const REFRESH_EVERY = 15_000;

/** The providers' booking systems, as they are registered now. */
export interface ProviderDirectory {
  readonly systems: ReadonlyMap<ProviderId, BookingSystem>;
  /** @throws ProviderUnavailable when there is no such registration (any more): whoever asks tries again */
  systemOf(id: ProviderId): BookingSystem;
  close(): void;
}

export async function openProviderDirectory(database: Database, log: Logger): Promise<ProviderDirectory> {
  const systems = new Map<ProviderId, BookingSystem>();
  let known = '';

  const refresh = async () => {
    const rows = await providers(database);
    // a client keeps what it learned of its server, so it is made anew only when something changed
    if (JSON.stringify(rows) === known) return;
    known = JSON.stringify(rows);
    const fresh = createBookingSystems(
      rows.map(({ base_url: baseUrl, ...row }) => ({ ...row, baseUrl })),
      {
        secretOf: credential,
        onMalformed: (providerId, type, count) =>
          log.warn({ providerId, type, count }, 'malformed entries left out'),
        onUnusable: (providerId, why) => log.error({ providerId, why }, 'a provider can not be reached'),
      },
    );
    systems.clear();
    for (const [id, system] of fresh) systems.set(id, system);
  };
  await refresh();
  const timer = setInterval(() => {
    refresh().catch((error: unknown) =>
      log.warn({ fault: error instanceof Error ? error.name : null }, 'providers not refreshed'),
    );
  }, REFRESH_EVERY);

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
