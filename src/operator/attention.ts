import type { ProviderId } from '../domain/ids.ts';
import { type Attention, listAttention } from '../postgres/attention.ts';
import type { InputOf } from './descriptions/index.ts';
import { answer, type Answer, type Operation } from './operation.ts';
import { requirePartner } from './partners.ts';
import { type Columns, parts, table } from './view.ts';

/** The work list: what needs an operator, what has waited longest first. */
export async function listWork(
  operation: Operation,
  { kind, provider, partner, limit }: InputOf<'attention'>,
): Promise<Answer> {
  const found = await listAttention(operation.database, {
    kinds: kind,
    providerId: provider as ProviderId | undefined,
    partnerId: partner === undefined ? undefined : await requirePartner(operation, partner),
    limit: limit + 1,
  });
  const data = found.slice(0, limit).map(({ id: _, ...one }) => one);
  const more = found.length > limit;
  const hint = more ? `There are more: --limit ${limit * 2} shows them.` : null;
  return answer(parts(table(COLUMNS, data, 'Nothing needs an operator.'), hint), { data, more });
}

const COLUMNS: Columns<Omit<Attention, 'id'>> = {
  Since: 'since',
  What: 'kind',
  Case: ({ caseId }) => caseId?.slice(0, 8),
  Reference: 'partnerCaseId',
  Partner: 'partnerId',
  Clinic: 'providerId',
  Answer: 'answer',
};
