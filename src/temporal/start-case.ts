import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { WorkflowIdReusePolicy } from '@temporalio/common';
import {
  type CaseStart,
  searchAttributes,
  searchAttributesOf,
  TASK_QUEUE,
  WORKFLOW_TYPE,
  workflowIdOf,
} from '../../workflows/contract.ts';
import type { CaseRow } from '../postgres/case-row.ts';

/** What a start needs of a case's row. */
export type CaseToStart = Pick<
  CaseRow,
  | 'id'
  | 'partner_id'
  | 'partner_case_id'
  | 'hashed_reference'
  | 'treatment_type'
  | 'state'
  | 'created_at'
  | 'traceparent'
>;

/** In which deployment. */
export interface StartedWhere {
  /** Where its workers listen; the usual one when left out. */
  readonly taskQueue?: string | undefined;
  /** A test environment, where partners may move their cases' clocks. */
  readonly isSandbox?: boolean | undefined;
}

export interface CaseToRestart extends CaseToStart, Pick<CaseRow, 'revision'> {
  /** Whether the invitation has left on each channel: then nothing of a case that has just begun is to be done again. */
  readonly isInvited: boolean;
}

/**
 * Starts the case's workflow; one that runs already, or has run, counts as started.
 *
 * Conflict `USE_EXISTING` and reuse `REJECT_DUPLICATE`: without the latter an archived case would come back to life.
 */
export async function startCase(client: Client, row: CaseToStart, where: StartedWhere = {}): Promise<void> {
  await startWorkflow(client, caseStartOf(row, where), {
    row,
    where,
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
  });
}

/**
 * Starts the workflow of an open case again, after it was lost, from what is written down of it. The only way in which a
 * closed workflow gets another run, and then not one that has come to its end. One that runs is left alone.
 *
 * @returns false where it has come to its end
 */
export function restartCase(client: Client, row: CaseToRestart, where: StartedWhere = {}): Promise<boolean> {
  const { state, revision } = row;
  const start = caseStartOf(row, where);
  // never written down means that its messages may be unsent: it begins anew, and none is sent twice
  const isBegun = revision > 0 || row.isInvited;
  const input = isBegun ? { ...start, carried: { state, revision, noticed: [] } } : start;
  return startWorkflow(client, input, {
    row,
    where,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
  });
}

function caseStartOf(row: CaseToStart, { isSandbox }: StartedWhere): CaseStart {
  const { deadline, archiveAfterDays, contactability } = row.state;
  const { email, sms } = contactability.channels;
  return {
    caseId: row.id,
    partnerId: row.partner_id,
    treatmentType: row.treatment_type,
    deadline,
    archiveAfterDays,
    hasAddress: { email: email.hasAddress, sms: sms.hasAddress },
    // so that the state it begins with is the one that its readers see already
    openedAt: row.created_at,
    ...(isSandbox === true && { sandbox: true }),
  };
}

/**
 * Temporal's matching gives a task's start a second to be written, and then forgets the task: it counts as begun, and nobody
 * works on it until this is over (docs/decisions/0122). A customer may wait for it, and gives up after 15 s; a step takes
 * some milliseconds.
 */
const WORKFLOW_TASK_TIMEOUT = '4s';

/** @returns whether it runs now */
async function startWorkflow(
  client: Client,
  input: CaseStart,
  {
    row,
    where: { taskQueue = TASK_QUEUE },
    workflowIdReusePolicy,
  }: { row: CaseToStart; where: StartedWhere; workflowIdReusePolicy: WorkflowIdReusePolicy },
): Promise<boolean> {
  const reference = row.hashed_reference ?? row.partner_case_id;
  try {
    await client.workflow.start(WORKFLOW_TYPE, {
      workflowId: workflowIdOf(row.id),
      taskQueue,
      args: [input],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      staticSummary: `${row.treatment_type} for ${row.partner_id}, reference ${reference}`,
      typedSearchAttributes: [
        ...searchAttributesOf(row.state),
        { key: searchAttributes.partnerId, value: row.partner_id },
        { key: searchAttributes.partnerCaseId, value: reference },
        { key: searchAttributes.treatmentType, value: row.treatment_type },
      ],
    });
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return false;
  }
}
