import { ATTENTION_KINDS } from '../../domain/attention.ts';
import type { CaseStatus } from '../../domain/case-state.ts';
import { listAllCases, type OperatorCaseFilter, type PlainCase } from '../../postgres/cases.ts';
import type { InputOf } from '../descriptions/index.ts';
import { timeOf } from '../input-rules.ts';
import { answer, type Answer, type Operation } from '../operation.ts';
import { requirePartner } from '../partners.ts';
import { type Columns, parts, table, way } from '../view.ts';

export async function listCases(
  operation: Operation,
  { partner, status = [], attention, since, limit }: InputOf<'case list'>,
): Promise<Answer> {
  const filter: OperatorCaseFilter = {
    partnerId: partner === undefined ? undefined : await requirePartner(operation, partner),
    statuses: status,
    updatedSince: timeOf('since', since),
    attention: attention === 'any' ? ATTENTION_KINDS : attention && [attention],
  };
  const found = await listAllCases(operation.database, filter, { limit: limit + 1, after: null });
  const data = found.slice(0, limit).map(caseJson);
  const more = found.length > limit;
  const hint = more ? `There are more: --limit ${limit * 2} shows them.` : null;
  return answer(
    parts(
      table(COLUMNS, data, 'No such cases.', ({ id }) => [way('case show', { case: id })]),
      hint,
    ),
    { data, more },
  );
}

/** The most pressing of what it needs an operator for. */
const pressing = ({ attention }: PlainCase) =>
  ATTENTION_KINDS.flatMap((kind) => attention.find((one) => one.kind === kind) ?? [])[0] ?? null;

const caseJson = (c: PlainCase) => ({
  id: c.id,
  partnerId: c.partner_id,
  partnerCaseId: c.partner_case_id,
  treatmentType: c.treatment_type,
  status: c.status satisfies CaseStatus,
  attention: pressing(c)?.kind ?? null,
  attentionSince: c.attention[0]?.since ?? null,
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
