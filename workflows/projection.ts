import { condition } from '@temporalio/workflow';
import type { CaseStart } from './contract.ts';
import { now, type Desk } from './desk.ts';
import { project } from './steps.ts';

/** Writes each new state down for its readers, for ever. While one write runs only the newest state waits. */
export async function keepProjected(desk: Desk, { caseId }: CaseStart): Promise<never> {
  for (;;) {
    await condition(() => !desk.allWritten());
    const { state, revision, unwritten } = desk;
    const overlap = await project({ caseId, revision, state, events: unwritten, at: now() });
    desk.written(revision, unwritten.length);
    // What earlier versions wrote down was answered by nothing.
    if (overlap) desk.file({ type: 'overlapJudged', ...overlap }, 'service');
  }
}
