import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { timeInList } from '../../calendar/format.ts';
import { CASE_STATUSES, type CaseStatus } from '../../domain/case-state.ts';
import { attentionOf, type Attention } from '../../domain/views.ts';
import { listAllCases, type OperatorsFilter, type PlainCase } from '../../postgres/operator-cases.ts';
import { examples } from '../examples.ts';
import { each, time, whole } from '../inputs.ts';
import { answer, type Operation, type Run } from '../operation.ts';
import { requirePartner } from '../partner.ts';
import { parts, table } from '../text.ts';

const KINDS = [
  'assistance',
  'undeliverable',
  'disowned',
  'transfer_refused',
  'release_unverified',
  'overlap',
  'workflow_lost',
] as const satisfies (Attention | 'workflow_lost')[];
type Kind = (typeof KINDS)[number];

/** How many rows are looked at in one go. */
const PAGE = 500;

export function listCommand(parent: Command, run: Run): void {
  parent
    .command('list')
    .description("everybody's cases, the newest first; nothing personal")
    .option('--partner <id>', 'only of this partner')
    .addOption(
      new Option('--status <status>', 'only in this status; may be given several times')
        .choices(CASE_STATUSES)
        .argParser(each((typed) => oneOf(CASE_STATUSES, typed))),
    )
    .addOption(
      new Option(
        '--attention [kind]',
        'only those that need an operator, or need one for this: ' + KINDS.join(', '),
      ).choices(KINDS),
    )
    .option('--since <time>', 'only what has changed since: 2026-11-24, "2026-11-24 09:00"', time)
    .option('--limit <number>', 'how many', whole(1, 10_000), 50)
    .addHelpText(
      'after',
      examples(
        ['case list --attention', 'what an operator has to look at'],
        [
          'case list --partner fjordtrygd --status booked --since 2026-11-01',
          'what was booked for a partner',
        ],
        ['case list --status error --json', 'for a script'],
      ),
    )
    .action(({ partner, status, attention, since, limit }) =>
      run(async (operation) => {
        const { database } = operation;
        const partnerId = partner === undefined ? undefined : await requirePartner(database, partner);
        const filter: OperatorsFilter = {
          partnerId,
          statuses: status ?? [],
          updatedSince: since,
          maybeInTrouble: attention !== undefined,
        };
        const needs = attention === undefined ? () => true : needing(attention === true ? null : attention);
        const found = await take(operation, filter, needs, limit + 1);
        const shown = found.slice(0, limit);
        const more = found.length > limit ? `There are more: --limit ${limit * 2} shows them.` : null;
        return answer(parts(listed(shown), more), { data: shown.map(json), more: found.length > limit });
      }),
    );
}

function oneOf<T extends string>(values: readonly T[], typed: string): T {
  const value = values.find((one) => one === typed);
  if (value === undefined) throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`);
  return value;
}

/** Pages on until there are enough: which cases need attention is decided by the domain, not in SQL. */
async function take(
  { database }: Operation,
  filter: OperatorsFilter,
  needs: (one: PlainCase) => boolean,
  limit: number,
): Promise<PlainCase[]> {
  const found: PlainCase[] = [];
  let after: PlainCase | null = null;
  for (;;) {
    const page: readonly PlainCase[] = await listAllCases(database, filter, { limit: PAGE, after });
    found.push(...page.filter(needs));
    after = page.at(-1) ?? null;
    if (found.length >= limit || page.length < PAGE) return found.slice(0, limit);
  }
}

const needing =
  (kind: Kind | null) =>
  (one: PlainCase): boolean =>
    kind === null ? worry(one) !== null : worryOf(one) === kind;

/** What an operator has to see to; an error that has no kind of its own is one too. */
function worry(one: PlainCase): string | null {
  const attention = worryOf(one);
  if (attention !== 'none') return attention;
  const { state } = one;
  return state.status === 'error' ? (state.problem?.code.toLowerCase() ?? 'error') : null;
}

/** Without a workflow nothing else can be seen to. */
const worryOf = ({ state, workflow_lost }: PlainCase): Kind | 'none' =>
  workflow_lost === null ? attentionOf(state) : 'workflow_lost';

const listed = (cases: readonly PlainCase[]) =>
  table(
    ['Id', 'Partner', 'Reference', 'Treatment', 'Status', 'Attention', 'Last day', 'Changed'],
    cases.map((c) => [
      c.id.slice(0, 8),
      c.partner_id,
      c.partner_case_id,
      c.treatment_type,
      c.status,
      worry(c) ?? '',
      c.state.deadline.date,
      timeInList(c.updated_at),
    ]),
    'No such cases.',
  );

const json = (c: PlainCase) => ({
  id: c.id,
  partnerId: c.partner_id,
  partnerCaseId: c.partner_case_id,
  treatmentType: c.treatment_type,
  status: c.status satisfies CaseStatus,
  attention: worry(c),
  bookingDeadline: c.state.deadline.date,
  createdAt: c.created_at,
  updatedAt: c.updated_at,
});
