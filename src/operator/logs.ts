import {
  type AccessFilter,
  type ChainCheck,
  CHAINED_LOGS,
  checkChain,
  readAccessLog,
  readTouchedCases,
} from '../postgres/access-log.ts';
import { type LogFilter, readLog } from '../postgres/operators.ts';
import { findCaseId } from './cases/current-case.ts';
import type { InputOf } from './descriptions/index.ts';
import { timeOf } from './input-rules.ts';
import { type Answer, inCamelCase, listed, type Operation } from './operation.ts';
import { refusal } from './operator-error.ts';
import { type Columns, table, way } from './view.ts';

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
  const caseId = text === undefined ? undefined : await findCaseId(operation, text);
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

const within = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: timeOf('from', from),
  to: timeOf('to', to),
});

/** Who read a case. */
export async function byCase(operation: Operation, input: InputOf<'access case'>): Promise<Answer> {
  const caseId = await findCaseId(operation, input.case);
  return listAccess(operation, { caseId, ...within(input) }, input.limit);
}

/** What somebody read. */
export const byWhom = (operation: Operation, input: InputOf<'access by'>): Promise<Answer> =>
  listAccess(operation, { whoId: input.who, ...within(input) }, input.limit);

const listAccess = async ({ database }: Operation, filter: AccessFilter, limit: number): Promise<Answer> =>
  listed(
    await readAccessLog(database, { ...filter, limit }),
    {
      When: 'at',
      Who: ({ who, whoName, whoId, partnerId }) =>
        [who, partnerId, whoName ?? whoId].filter(Boolean).join(' '),
      What: 'action',
      Outcome: 'outcome',
      Cases: ({ caseIds: [first = '', ...others] }) =>
        others.length > 0 ? `${first} and ${others.length} more` : first,
      From: 'network',
      Request: 'requestId',
    },
    'Nothing in the access log.',
  );

/** Which cases were touched from a network. */
export const byAddress = async (
  { database }: Operation,
  { address, limit, ...period }: InputOf<'access address'>,
): Promise<Answer> =>
  listed(
    await readTouchedCases(database, { address, ...within(period), limit }),
    {
      Case: 'caseId',
      Partner: 'partnerId',
      Reference: 'partnerCaseId',
      By: ({ who, whoId }) => [who, whoId].filter(Boolean).join(' '),
      Times: 'times',
      Refused: 'refused',
      First: 'first',
      Last: 'last',
    },
    'Nothing in the access log.',
  );

const CHECK_COLUMNS: Columns<ChainCheck> = {
  Log: 'log',
  Rows: 'rows',
  'First row': 'from',
  Since: 'since',
  Broken: ({ broken }) => (broken ? `at row ${broken.number}` : 'no'),
};

/** Goes through every log's chain. @throws OperatorError `LOG_CHANGED` */
export async function verify({ database, say }: Operation): Promise<Answer> {
  const checks: ChainCheck[] = [];
  for (const log of CHAINED_LOGS) {
    say(`checking ${log}`);
    checks.push(await checkChain(database, log));
  }
  if (checks.every(({ broken }) => broken === null)) return listed(checks, CHECK_COLUMNS, '');
  throw refusal('LOG_CHANGED', 'A log is not as it was written.', {
    details: { checks },
    view: table(CHECK_COLUMNS, checks, ''),
  });
}
