import type { CaseSnapshot } from '../../../activities/contract.ts';
import type { CaseState } from '../../../src/domain/case-state.ts';
import type { CaseEvent } from '../../../src/domain/events.ts';
import type { CaseId } from '../../../src/domain/ids.ts';

/** What readers see of a case: the rows that the projection writes. */
export interface Reading {
  readonly state: CaseState;
  readonly revision: number;
  readonly events: readonly CaseEvent[];
}

export function openReadingRoom() {
  const rows = new Map<CaseId, Reading>();
  let opening: Promise<void> = Promise.resolve();
  const read = (caseId: CaseId): Reading => {
    const row = rows.get(caseId);
    if (!row) throw new Error(`no row of case ${caseId}`);
    return row;
  };
  return {
    read,
    enter: (caseId: CaseId, state: CaseState) => rows.set(caseId, { state, revision: 0, events: [] }),
    async write({ caseId, revision, state, events }: CaseSnapshot): Promise<void> {
      await opening;
      const before = read(caseId);
      if (before.revision >= revision) return;
      const news = events.filter((event) => event.revision > before.revision);
      rows.set(caseId, { state, revision, events: [...before.events, ...news] });
    },
    all: (): readonly (readonly [CaseId, Reading])[] => [...rows],
    /** Writers wait until the returned function is called. */
    close(): () => void {
      const opened = Promise.withResolvers<undefined>();
      opening = opened.promise;
      return () => opened.resolve(undefined);
    },
  };
}
