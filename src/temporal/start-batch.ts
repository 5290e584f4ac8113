import type { Client } from '@temporalio/client';
import type { CaseRow } from '../postgres/case-row.ts';
import type { Database } from '../postgres/database.ts';
import { noteSignalled, unsignalledRequests } from '../postgres/texts.ts';
import { startUnstarted } from '../postgres/unstarted.ts';
import { requestAssistance, workflowIdOf } from '../../workflows/contract.ts';
import { startCase } from './start-case.ts';

/** As many starts at a time as Temporal takes without its other callers noticing. */
const BATCH = 20;
const START_WITHIN = 5_000;

/** Brings to Temporal what waits in PostgreSQL: cases without a workflow, and requests for help that it was not told. */
export const createStartBatch = (database: Database, client: Client, taskQueue?: string) => async () => {
  const deadline = () => Date.now() + START_WITHIN;
  const outcome = await startUnstarted(database, BATCH, (row) =>
    client.withDeadline(deadline(), () => startCase(client, toStart(row), taskQueue)),
  );
  await database.transaction(async (tx) => {
    for (const row of await unsignalledRequests(tx, BATCH)) {
      const handle = client.workflow.getHandle(workflowIdOf(row.id));
      await client.withDeadline(deadline(), () => handle.signal(requestAssistance, { actor: 'customer' }));
      await noteSignalled(tx, row.text_id);
    }
  });
  return outcome;
};

const toStart = (row: CaseRow) => ({
  id: row.id,
  partnerId: row.partner_id,
  partnerCaseId: row.partner_case_id,
  treatmentType: row.treatment_type,
  state: row.state,
});
