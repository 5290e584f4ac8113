import type { CaseStatus } from '../../domain/case-state.ts';
import { attentionOf } from '../../domain/next-steps.ts';
import { listAllCases, type OperatorCaseFilter, type PlainCase } from '../../postgres/cases.ts';
import type { AttentionKind } from '../descriptions/cases.ts';
import type { InputOf } from '../descriptions/index.ts';
import { timeOf } from '../input-rules.ts';
import { answer, type Answer, type Operation } from '../operation.ts';
import { requirePartner } from '../partners.ts';
import { type Columns, parts, table } from '../view.ts';

/** How many rows are read at a time. */
const PAGE = 500;

export async function listCases(
  operation: Operation,
  { partner, status = [], attention, since, limit }: InputOf<'case list'>,
): Promise<Answer> {
  const filter: OperatorCaseFilter = {
    partnerId: partner === undefined ? undefined : await requirePartner(operation, partner),
    statuses: status,
    updatedSince: timeOf('since', since),
    maybeInTrouble: attention !== undefined,
  };
  const isWanted = (one: PlainCase) =>
    attention === undefined ||
    (attention === 'any' ? attentionReason(one) !== null : attentionKind(one) === attention);
  const found = await readMatching(operation, filter, isWanted, limit + 1);
  const data = found.slice(0, limit).map(caseJson);
  const more = found.length > limit;
  const hint = more ? `There are more: --limit ${limit * 2} shows them.` : null;
  return answer(parts(table(COLUMNS, data, 'No such cases.'), hint), { data, more });
}

/** Reads pages until there are enough: which cases need attention is decided by the domain, not in SQL. */
async function readMatching(
  { database }: Operation,
  filter: OperatorCaseFilter,
  isWanted: (one: PlainCase) => boolean,
  limit: number,
): Promise<PlainCase[]> {
  const found: PlainCase[] = [];
  let after: PlainCase | null = null;
  for (;;) {
    const page: readonly PlainCase[] = await listAllCases(database, filter, { limit: PAGE, after });
    found.push(...page.filter(isWanted));
    after = page.at(-1) ?? null;
    if (found.length >= limit || page.length < PAGE) return found.slice(0, limit);
  }
}

/** What an operator has to see to; an error that has no kind of its own is one too. */
function attentionReason(one: PlainCase): string | null {
  const attention = attentionKind(one);
  if (attention !== 'none') return attention;
  const { state } = one;
  return state.status === 'error' ? state.problem.code.toLowerCase() : null;
}

/** Without a workflow nothing else can be seen to. */
const attentionKind = ({ state, workflow_lost }: PlainCase): AttentionKind | 'none' =>
  workflow_lost === null ? attentionOf(state) : 'workflow_lost';

const caseJson = (c: PlainCase) => ({
  id: c.id,
  partnerId: c.partner_id,
  partnerCaseId: c.partner_case_id,
  treatmentType: c.treatment_type,
  status: c.status satisfies CaseStatus,
  attention: attentionReason(c),
  bookingDeadline: c.state.deadline.date,
  createdAt: c.created_at,
  updatedAt: c.updated_at,
});

const COLUMNS: Columns<ReturnType<typeof caseJson>> = {
  Id: ({ id }) => id.slice(0, 8),
  Partner: 'partnerId',
  Reference: 'partnerCaseId',
  Treatment: 'treatmentType',
  Status: 'status',
  Attention: 'attention',
  'Last day': 'bookingDeadline',
  Changed: 'updatedAt',
};
