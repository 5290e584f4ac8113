import { type LogFilter, readLog } from '../postgres/operators.ts';
import { findCase } from './cases/current-case.ts';
import type { InputOf } from './descriptions/index.ts';
import { timeOf } from './input-rules.ts';
import { type Answer, inCamelCase, listed, type Operation } from './operation.ts';
import { way } from './view.ts';

/** What operators did. */
export const showLog = (operation: Operation, { case: text, by, action, since, limit }: InputOf<'log'>) =>
  listEntries(
    operation,
    text,
    { operator: by, action, since: timeOf('since', since), limit },
    'Nothing in the log.',
  );

/** Who was shown personal data: a part of the same log. */
export const showReveals = (operation: Operation, { case: text, limit }: InputOf<'case reveals'>) =>
  listEntries(operation, text, { action: 'case.reveal', limit }, 'Nobody has seen any personal data.');

async function listEntries(
  operation: Operation,
  text: string | undefined,
  filter: LogFilter,
  nothing: string,
): Promise<Answer> {
  const caseId = text === undefined ? undefined : (await findCase(operation, text)).id;
  const rows = await readLog(operation.database, { ...filter, caseId });
  return listed(
    rows.map(inCamelCase),
    {
      When: 'at',
      Who: ({ operator, grantedBy }) =>
        [operator, grantedBy && `granted by ${grantedBy}`].filter(Boolean).join(' '),
      What: 'action',
      To: ({ caseId: id, subject }) => [id, subject].filter(Boolean).join(' '),
      Outcome: ({ outcome }) => outcome ?? 'interrupted',
      Note: ({ note, ticket }) => [note, ticket && `(${ticket})`].filter(Boolean).join(' '),
    },
    nothing,
    ({ caseId: id }) => (id ? [way('case show', { case: id })] : []),
  );
}
