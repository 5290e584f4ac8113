import type { Activities, Snapshot } from './index.ts';

export interface ProjectionDeps {
  /** Writes the snapshot unless a newer one stands there already, and its events once. */
  readonly writeSnapshot: (snapshot: Snapshot) => Promise<void>;
}

export const createProjectionActivities = ({
  writeSnapshot,
}: ProjectionDeps): Pick<Activities, 'project'> => ({
  project: writeSnapshot,
});
