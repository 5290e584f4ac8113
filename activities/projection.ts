import type { Activities, Overlap, Snapshot } from './index.ts';

export interface ProjectionDeps {
  /** Writes the snapshot unless a newer one stands there already, and its events once; repeated, it answers the same. */
  readonly writeSnapshot: (snapshot: Snapshot) => Promise<Overlap | null>;
}

export const createProjectionActivities = ({
  writeSnapshot,
}: ProjectionDeps): Pick<Activities, 'project'> => ({
  project: writeSnapshot,
});
