import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { CaseState } from '../domain/case-state.ts';
import type { CaseId, PartnerId } from '../domain/ids.ts';
import { attributesOf, searchAttributes } from '../../workflows/attributes.ts';
import { TASK_QUEUE, WORKFLOW_TYPE, workflowIdOf, type CaseStart } from '../../workflows/contract.ts';

export interface CaseToStart {
  readonly id: CaseId;
  readonly partnerId: PartnerId;
  readonly partnerCaseId: string;
  readonly treatmentType: string;
  readonly state: CaseState;
}

/**
 * Starts the case's workflow; one that runs already, or has run, counts as started.
 *
 * Conflict `USE_EXISTING` and reuse `REJECT_DUPLICATE`: without the latter an archived case would come back to life.
 */
export async function startCase(client: Client, row: CaseToStart, taskQueue = TASK_QUEUE): Promise<void> {
  const { deadline, archiveAfterDays, reach } = row.state;
  const start: CaseStart = {
    caseId: row.id,
    partnerId: row.partnerId,
    treatmentType: row.treatmentType,
    deadline,
    archiveAfterDays,
    reach: { email: reach.email, sms: reach.sms },
  };
  try {
    await client.workflow.start(WORKFLOW_TYPE, {
      workflowId: workflowIdOf(row.id),
      taskQueue,
      args: [start],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: `${row.treatmentType} for ${row.partnerId}, reference ${row.partnerCaseId}`,
      typedSearchAttributes: [
        ...attributesOf(row.state),
        { key: searchAttributes.partnerId, value: row.partnerId },
        { key: searchAttributes.partnerCaseId, value: row.partnerCaseId },
        { key: searchAttributes.treatmentType, value: row.treatmentType },
      ],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
