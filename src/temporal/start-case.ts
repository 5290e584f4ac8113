import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { CaseRow } from '../postgres/case-row.ts';
import { attributesOf, searchAttributes } from '../../workflows/attributes.ts';
import { TASK_QUEUE, WORKFLOW_TYPE, workflowIdOf, type CaseStart } from '../../workflows/contract.ts';

/** What a start needs of a case's row. */
export type CaseToStart = Pick<
  CaseRow,
  'id' | 'partner_id' | 'partner_case_id' | 'treatment_type' | 'state' | 'created_at'
>;

/**
 * Starts the case's workflow; one that runs already, or has run, counts as started.
 *
 * Conflict `USE_EXISTING` and reuse `REJECT_DUPLICATE`: without the latter an archived case would come back to life.
 */
export async function startCase(client: Client, row: CaseToStart, taskQueue = TASK_QUEUE): Promise<void> {
  const { deadline, archiveAfterDays, reach } = row.state;
  const start: CaseStart = {
    caseId: row.id,
    partnerId: row.partner_id,
    treatmentType: row.treatment_type,
    deadline,
    archiveAfterDays,
    reach: { email: reach.email, sms: reach.sms },
    // so that the state it begins with is the one that its readers see already
    openedAt: row.created_at,
  };
  try {
    await client.workflow.start(WORKFLOW_TYPE, {
      workflowId: workflowIdOf(row.id),
      taskQueue,
      args: [start],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: `${row.treatment_type} for ${row.partner_id}, reference ${row.partner_case_id}`,
      typedSearchAttributes: [
        ...attributesOf(row.state),
        { key: searchAttributes.partnerId, value: row.partner_id },
        { key: searchAttributes.partnerCaseId, value: row.partner_case_id },
        { key: searchAttributes.treatmentType, value: row.treatment_type },
      ],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
