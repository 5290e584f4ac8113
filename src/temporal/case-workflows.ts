import { WorkflowNotFoundError, type Client, type WorkflowExecutionStatusName } from '@temporalio/client';
import type { CaseId } from '../domain/ids.ts';
import { instant, type Instant } from '../domain/instant.ts';
import { caseFile, showAgain, WORKFLOW_TYPE, workflowIdOf } from '../../workflows/contract.ts';

const WITHIN = 5_000;
const OURS = /^case-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** How a workflow that is not running has ended. */
const ENDED = {
  COMPLETED: 'completed',
  TERMINATED: 'terminated',
  FAILED: 'failed',
  TIMED_OUT: 'timed_out',
  CANCELLED: 'cancelled',
} as const satisfies Partial<Record<WorkflowExecutionStatusName, string>>;

/** The cases' workflows, for whoever holds them against the cases. Each call throws when Temporal does not answer. */
export function createCaseWorkflows(client: Client, taskQueue: string) {
  const within = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + WITHIN, call);
  const handleOf = (caseId: CaseId) => client.workflow.getHandle(workflowIdOf(caseId));
  return {
    async describe(caseId: CaseId) {
      try {
        const { status, runId, historyLength } = await within(() => handleOf(caseId).describe());
        const ended = (ENDED as Partial<Record<string, (typeof ENDED)[keyof typeof ENDED]>>)[status.name];
        return { status: ended ?? ('running' as const), history: `${runId} ${historyLength}` };
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return { status: 'missing' as const, history: '' };
        throw error;
      }
    },
    file: (caseId: CaseId) => within(() => handleOf(caseId).query(caseFile)),
    showAgain: (caseId: CaseId, atLeast: number) =>
      within(() => handleOf(caseId).signal(showAgain, { atLeast })),
    idOf: workflowIdOf,

    /** The newest first: a page ends at a time of start, at which the next one begins. */
    async running({ before, limit }: { before: Instant | null; limit: number }) {
      const until = before === null ? '' : ` AND StartTime <= '${before}'`;
      const query = `WorkflowType = '${WORKFLOW_TYPE}' AND TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Running'${until}`;
      const { executions } = await within(() =>
        client.workflowService.listWorkflowExecutions({
          namespace: client.options.namespace,
          pageSize: limit,
          query,
        }),
      );
      const workflows = executions.map(({ execution }) => {
        const workflowId = execution?.workflowId ?? '';
        return { workflowId, caseId: (OURS.exec(workflowId)?.[1] ?? null) as CaseId | null };
      });
      const start = executions.at(-1)?.startTime;
      const last = start ? Number(start.seconds) * 1000 + Math.ceil((start.nanos ?? 0) / 1e6) : null;
      if (executions.length < limit || last === null) return { workflows, next: null };
      const next = instant(last);
      // more in one millisecond than fit on a page
      return { workflows, next: next === before ? instant(last - 1) : next };
    },
  };
}
