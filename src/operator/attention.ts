import type { ProviderId } from '../domain/ids.ts';
import { instant } from '../domain/instant.ts';
import {
  type Attention,
  type AttentionFilter,
  countAttention,
  listAttention,
} from '../postgres/attention.ts';
import type { InputOf } from './descriptions/index.ts';
import { answer, type Answer, type Operation } from './operation.ts';
import { wrongFields } from './operator-error.ts';
import { requirePartner } from './partners.ts';
import { type Columns, parts, table } from './view.ts';

/** The work list: what needs an operator, what has waited longest first. */
export async function listWork(operation: Operation, input: InputOf<'attention'>): Promise<Answer> {
  const { kind, provider, partner, takenBy, limit } = input;
  const filter = {
    kinds: kind,
    providerId: provider as ProviderId | undefined,
    partnerId: partner === undefined ? undefined : await requirePartner(operation, partner),
    takenBy: takenBy === 'me' ? operation.actor.name : takenBy === 'nobody' ? null : takenBy,
  };
  const [found, total] = await Promise.all([
    listAttention(operation.database, { ...filter, after: cursorIn(input.after), limit: limit + 1 }),
    countAttention(operation.database, filter),
  ]);
  const data = found.slice(0, limit).map(({ id: _, ...one }) => ({
    ...one,
    link: (one.caseId && operation.webUi?.caseLink(one.caseId)) ?? null,
  }));
  const last = found.length > limit ? found[limit - 1] : undefined;
  const next = last ? `${last.since}_${last.id}` : null;
  return answer(
    parts(
      table(COLUMNS, data, 'Nothing needs an operator.'),
      next && `These are ${data.length} of ${total}: --after ${next} shows those that follow.`,
    ),
    { data, total, next, more: next !== null },
  );
}

/** @throws OperatorError when it is no `next` of ours */
function cursorIn(after: string | undefined): AttentionFilter['after'] {
  if (after === undefined) return undefined;
  const [, since = '', id = ''] = /^(.+Z)_(\d{1,15})$/.exec(after) ?? [];
  if (!Number.isNaN(Date.parse(since))) return { since: instant(since), id: Number(id) };
  throw wrongFields([{ field: 'after', message: 'must be the `next` of an answer.' }]);
}

const COLUMNS: Columns<Omit<Attention, 'id'>> = {
  Since: 'since',
  What: 'kind',
  Case: ({ caseId }) => caseId?.slice(0, 8),
  Reference: 'partnerCaseId',
  Partner: 'partnerId',
  Clinic: 'providerId',
  Answer: 'answer',
  'Taken by': 'takenBy',
};
