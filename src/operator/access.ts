import {
  type AccessFilter,
  CHAINED_LOGS,
  type ChainCheck,
  checkChain,
  readAccessLog,
  readTouchedCases,
} from '../postgres/access-log.ts';
import { findCase } from './cases/current-case.ts';
import type { InputOf } from './descriptions/index.ts';
import { timeOf } from './input-rules.ts';
import { type Answer, listed, type Operation } from './operation.ts';
import { refusal } from './operator-error.ts';
import { type Columns, table } from './view.ts';

const within = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: timeOf('from', from),
  to: timeOf('to', to),
});

/** Who read a case. */
export async function byCase(operation: Operation, input: InputOf<'access case'>): Promise<Answer> {
  const { id } = await findCase(operation, input.case);
  return listAccess(operation, { caseId: id, ...within(input) }, input.limit);
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
