import type { Command } from '@commander-js/extra-typings';
import { formatTimestamp } from '../../calendar/format.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { addLogEntry, recordOutcome } from '../../postgres/operators.ts';
import { examples, note } from '../arguments.ts';
import { answer, type Operation, type Run } from '../operation.ts';
import { wrongUsage } from '../operator-error.ts';
import { cell, facts, parts, table, type Text, titled } from '../terminal.ts';
import { personalView, type PersonalView, plainView, type PlainView } from './case-view.ts';
import { caseCommand, currentState, findCase } from './current-case.ts';

/** A case: everything that is not personal; with `--reveal`, and a reason that is logged, the rest. */
export function showCommand(parent: Command, run: Run): void {
  caseCommand(
    parent,
    'show',
    'status of a case, what comes next, and all that has happened; nothing personal',
  )
    .option('--reveal', 'also names, addresses, the injury and free texts; needs --reason, and is logged')
    .option('--reason <text>', 'why you have to see it', note)
    .addHelpText(
      'after',
      examples(
        'case show 3f2a9c1e  # by the beginning of its id',
        "case show TF-2026-000123  # by the partner's reference",
        'case show 3f2a9c1e --reveal --reason "the customer asked to be called"  # whom to call',
      ),
    )
    .action((text, { reveal, reason }) =>
      run(async (operation) => {
        if (reveal && reason === undefined)
          throw wrongUsage('--reveal shows personal data, so say why: --reason "<text>". It is logged.');
        if (!reveal && reason !== undefined) throw wrongUsage('--reason goes with --reveal.');
        const view = await findCase(operation, text);
        const plain = await plainView(operation, view, await currentState(operation, view));
        const personal = reason === undefined ? null : await revealPersonalData(operation, view, reason);
        return answer(parts(plainText(plain), personal && personalText(personal)), {
          ...plain,
          ...(personal ? { personal } : {}),
        });
      }),
    );
}

/** Logged before anything is shown: where that fails, nothing is. */
async function revealPersonalData(
  operation: Operation,
  view: CaseView,
  reason: string,
): Promise<PersonalView> {
  const { database, operator, terminal } = operation;
  const id = await addLogEntry(database, { operator, action: 'case.reveal', caseId: view.id, note: reason });
  await recordOutcome(database, id, 'done');
  terminal.say(`Logged: ${operator} sees the personal data of this case.`);
  return personalView(operation, view);
}

const plainText = (view: PlainView): Text =>
  parts(
    `Case ${view.id}, ${view.according}.`,
    facts([
      ['Partner', `${view.partnerName} (${view.partnerId})`],
      ['Reference', view.partnerCaseId],
      ['Treatment', view.treatmentType],
      ['Status', view.status],
      ['Now', view.now.replaceAll('\n\n', '\n')],
      ['Possible', view.possible.join(', ') || 'nothing'],
      ['Last day', `${view.bookingDeadline} (expires ${formatTimestamp(view.deadlinePassesAt)})`],
      ['Problem', view.problem && `${view.problem.code} since ${formatTimestamp(view.problem.since)}`],
      ['Recalled', view.recall && recallText(view.recall)],
      ['Policy', verificationText(view.verification.policy)],
      ['Referral', verificationText(view.verification.referral)],
      ['Reached by', [view.reach.email && 'e-mail', view.reach.sms && 'SMS'].filter(Boolean)],
      [
        'Customer',
        view.boundAt ? `logged in, bound ${formatTimestamp(view.boundAt)}` : 'nobody has logged in',
      ],
      ['Link', view.bookingUrl],
      ['Created', view.createdAt],
      ['Changed', view.updatedAt],
    ]),
    view.unbound.length > 0 ? titled('Unbound', unbound(view)) : null,
    titled('Appointments', appointments(view)),
    titled(
      'Messages',
      table(
        { When: 'at', What: 'kind', By: 'channel', Status: 'status', Why: 'reason' },
        view.messages,
        'None yet.',
      ),
    ),
    view.requests.length > 0 ? titled('Requests for help', requests(view)) : null,
    titled(
      'Timeline',
      table(
        { When: 'at', What: 'type', Who: 'actor', More: ({ data }) => more(data) },
        view.timeline,
        'Empty.',
      ),
    ),
  );

const recallText = ({ at, hasReason }: NonNullable<PlainView['recall']>): string =>
  `${formatTimestamp(at)}${hasReason ? ', for a reason that --reveal shows' : ''}`;

function verificationText(result: PlainView['verification']['policy']): string | null {
  if (!result) return null;
  const { outcome, reasons, checkedAt, validFrom, validTo } = result;
  const why = reasons.length > 0 ? ` (${reasons.join(', ')})` : '';
  const validity = validFrom || validTo ? `, valid ${validFrom ?? ''}–${validTo ?? ''}` : '';
  return `${outcome.replace('_', ' ')}${why} ${formatTimestamp(checkedAt)}${validity}`;
}

const appointments = (view: PlainView): Text =>
  table(
    {
      Start: 'start',
      Minutes: ({ start, end }) => (Date.parse(end) - Date.parse(start)) / 60_000,
      Provider: ({ providerName, providerId }) => providerName ?? providerId,
      Where: 'location',
      Status: 'standing',
      Booking: 'bookingId',
    },
    view.bookings,
    'None.',
  );

/** Who the case was bound to before; the number is what `case readmit` takes. */
const unbound = (view: PlainView): Text =>
  table(
    {
      Person: 'id',
      Bound: 'boundAt',
      Unbound: 'unboundAt',
      By: 'unboundBy',
      Why: 'reason',
      Now: ({ readmittedAt, readmittedBy }) =>
        readmittedAt ? `readmitted ${formatTimestamp(readmittedAt)} by ${readmittedBy ?? ''}` : 'kept out',
    },
    view.unbound,
    'Nobody.',
  );

const requests = (view: PlainView): Text =>
  table(
    {
      When: 'at',
      'Preferred contact': ({ preferredContact }) => preferredContact ?? 'either',
      Message: ({ hasMessage }) => (hasMessage ? '--reveal shows it' : 'none'),
    },
    view.requests,
    'None.',
  );

const more = (data: Readonly<Record<string, unknown>>): string =>
  Object.entries(data)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${[value].flat().map(shortened).join('+')}`)
    .join(', ');

/** An id's beginning is enough to tell it from others; --json has all of it. */
const shortened = (value: unknown): string =>
  cell(value).replace(/^([\da-f]{8})(-[\da-f]{4}){3}-[\da-f]{12}$/, '$1');

const personalText = (view: PersonalView): Text =>
  titled(
    'Personal data',
    facts([
      ['Name', `${view.firstName} ${view.lastName}`],
      ['E-mail', view.email ?? 'none'],
      ['Phone', view.phone ?? 'none'],
      ['Injury', `${view.injuryDate}${view.injuryDescription ? `: ${view.injuryDescription}` : ''}`],
      ['Logged in', view.boundPerson && personText(view.boundPerson)],
      ...view.unboundPersons.map((person) => [`Unbound ${person.id}`, personText(person)] as const),
      ['Recalled', view.recallReason && `"${view.recallReason}"`],
      ...view.practitioners.map(
        ({ bookingId, practitioner }) => ['Practitioner', `${practitioner} (booking ${bookingId})`] as const,
      ),
      ...view.requests.map(
        ({ at, message }) =>
          ['Asked', `${formatTimestamp(at)}: ${message === null ? 'no message' : `"${message}"`}`] as const,
      ),
    ]),
  );

const personText = ({ givenName, familyName, birthDate }: NonNullable<PersonalView['boundPerson']>): string =>
  `${givenName} ${familyName}${birthDate ? `, born ${birthDate}` : ''}`;
