import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { CASE_STATUSES, type CaseStatus } from '../../domain/case-state.ts';
import { type Attention, attentionOf } from '../../domain/next-steps.ts';
import { listAllCases, type OperatorCaseFilter, type PlainCase } from '../../postgres/cases.ts';
import { examples, repeatable, time, wholeNumber } from '../arguments.ts';
import { answer, type Operation, type Run } from '../operation.ts';
import { requirePartner } from '../partners.ts';
import { type Columns, parts, table } from '../terminal.ts';

const KINDS = [
  'assistance',
  'undeliverable',
  'disowned',
  'transfer_refused',
  'release_unverified',
  'overlap',
  'double_booked',
  'workflow_lost',
] as const satisfies (Attention | 'workflow_lost')[];
type Kind = (typeof KINDS)[number];

/** How many rows are read at a time. */
const PAGE = 500;

export function listCommand(parent: Command, run: Run): void {
  parent
    .command('list')
    .description("everybody's cases, the newest first; nothing personal")
    .option('--partner <id>', 'only of this partner')
    .addOption(
      new Option('--status <status>', 'only in this status; may be given several times')
        .choices(CASE_STATUSES)
        .argParser(repeatable((typed) => oneOf(CASE_STATUSES, typed))),
    )
    .addOption(
      new Option(
        '--attention [kind]',
        'only those that need an operator, or need one for this: ' + KINDS.join(', '),
      ).choices(KINDS),
    )
    .option('--since <time>', 'only what has changed since: 2026-11-24, "2026-11-24 09:00"', time)
    .option('--limit <number>', 'how many', wholeNumber(1, 10_000), 50)
    .addHelpText(
      'after',
      examples(
        'case list --attention  # what needs an operator',
        'case list --partner fjordtrygd --status booked --since 2026-11-01  # what was booked for a partner',
        'case list --status error --json  # for a script',
      ),
    )
    .action(({ partner, status, attention, since, limit }) =>
      run(async (operation) => {
        const filter: OperatorCaseFilter = {
          partnerId: partner === undefined ? undefined : await requirePartner(operation, partner),
          statuses: status ?? [],
          updatedSince: since,
          maybeInTrouble: attention !== undefined,
        };
        const isWanted = (one: PlainCase) =>
          attention === undefined ||
          (attention === true ? attentionReason(one) !== null : attentionKind(one) === attention);
        const found = await readMatching(operation, filter, isWanted, limit + 1);
        const data = found.slice(0, limit).map(caseJson);
        const more = found.length > limit;
        const hint = more ? `There are more: --limit ${limit * 2} shows them.` : null;
        return answer(parts(table(COLUMNS, data, 'No such cases.'), hint), { data, more });
      }),
    );
}

function oneOf<T extends string>(values: readonly T[], typed: string): T {
  const value = values.find((one) => one === typed);
  if (value === undefined) throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`);
  return value;
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
const attentionKind = ({ state, workflow_lost }: PlainCase): Kind | 'none' =>
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
