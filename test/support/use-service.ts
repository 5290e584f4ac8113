import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { type BootedService, bootService, type TestService, type Wanted } from './service.ts';
import { onTeardown } from './teardown.ts';

const PROFILES = {
  /** With a worker and all that is around the service. */
  whole: {
    worker: true,
    messages: true,
    eid: true,
    registries: true,
    clinics: ['fjordklinikken', 'nordlys'],
    weeks: 6,
    schedules: 'paused',
  },
  /** The API alone: a case that is created rests. */
  api: { eid: true },
} satisfies Record<string, Wanted>;

/** The runner's processes run many suites each, and keep all modules but the suites' own. */
const kept = new Map<keyof typeof PROFILES, Promise<BootedService>>();

/**
 * A service that the suites of this process share, for a suite with partners of its own: cases, keys, users and events
 * are only its. Whoever makes a clinic fail, or a table, starts one of its own with `startService`.
 */
export function useService(profile: keyof typeof PROFILES = 'whole'): TestService {
  const service = {} as TestService;
  beforeAll(async () => {
    const own = randomBytes(4).toString('hex');
    const booted = await keptService(profile);
    Object.assign(service, await booted.lend({ first: `fjordtrygd-${own}`, other: `polar-${own}` }));
  });
  afterAll(() => service.stop());
  return service;
}

function keptService(profile: keyof typeof PROFILES): Promise<BootedService> {
  const before = kept.get(profile);
  if (before) return before;
  const booted = bootService(PROFILES[profile]);
  kept.set(profile, booted);
  booted.then(
    // with `-i` the suites run in Jest's own process; another just ends
    ({ stop }) => onTeardown(stop),
    () => kept.delete(profile),
  );
  return booted;
}
