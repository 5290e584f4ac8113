import { problemOf } from '../../../src/domain/case-state.ts';
import type { Account } from '../actors/account.ts';
import type { Check, Violation } from './violation.ts';

/** P1: a 201 means the case lives. And P7, as far as one version goes: its history replays. */
export const lives: Check = ({ accounts, rows, workflows, restless }) => {
  const violations: Violation[] = [];
  const violate = (caseId: string | null, expected: string, seen: string) =>
    violations.push({ promise: 'P1', caseId, expected, seen });

  for (const account of accounts) {
    const ids = [...new Set(account.created)];
    const [id = null] = ids;
    if (ids.length > 1)
      violate(id, 'one case, however often one create is repeated with its key', ids.join(', '));
    const refused = account.attempts.find(({ deed, outcome }) => deed === 'create' && outcome === 'refused');
    if (refused)
      violate(id, 'a valid create is taken', `${account.partnerCaseId} was refused: ${refused.code}`);
    const its = rows.filter(({ partnerCaseId }) => partnerCaseId === account.partnerCaseId);
    if (its.length > 1) violate(id, 'one row a case', its.map((row) => row.id).join(', '));
    if (its.length === 0 && id) violate(id, 'its row', 'none');
  }

  const answered = accounts.flatMap(({ created }) => created);
  const living = new Map(workflows.map((workflow) => [workflow.workflowId, workflow]));
  for (const id of new Set([...answered, ...rows.map((row) => row.id)])) {
    const workflow = living.get(`case-${id}`);
    if (workflow?.lives !== 1) violate(id, 'exactly one workflow', String(workflow?.lives ?? 0));
  }
  const known = new Set(rows.map(({ id }) => `case-${id}`));
  for (const { workflowId } of workflows.filter((workflow) => !known.has(workflow.workflowId)))
    violate(workflowId.replace('case-', ''), 'a row for each workflow', 'none');

  for (const { caseId, why } of restless) violate(caseId, 'that it comes to rest', why);
  for (const { id, status, state } of rows) {
    if (status === 'error')
      violate(id, 'that troubles which end stop no case', `error: ${problemOf(state)?.code}`);
  }
  for (const { workflowId, fault } of workflows) {
    const caseId = workflowId.replace('case-', '');
    if (fault !== null)
      violations.push({ promise: 'P7', caseId, expected: 'a history that replays', seen: fault });
  }
  return violations;
};

/** The case of an account, where there is one. */
export const idOf = ({ created }: Account): string | null => created[0] ?? null;
