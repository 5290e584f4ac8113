import { afterAll, beforeAll } from '@jest/globals';
import { createWorld, type World } from './world.ts';

/**
 * A world for this suite. Not even its time-skipping server is shared with other suites: a workflow that is terminated
 * there while an activity runs keeps the clock from ever skipping again.
 */
export function useWorld(...settings: Parameters<typeof createWorld>): World {
  const world = {} as World;
  beforeAll(async () => Object.assign(world, await createWorld(...settings)));
  afterAll(() => world.close());
  return world;
}
