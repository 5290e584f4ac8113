import type { Command } from '@commander-js/extra-typings';
import { formatTimestamp } from '../../calendar/format.ts';
import type { Instant } from '../../domain/instant.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { addLogEntry, recordOutcome } from '../../postgres/operators.ts';
import { examples, note } from '../arguments.ts';
import { answer, type Operation, type Run } from '../operation.ts';
import { wrongUsage } from '../operator-error.ts';
import { facts, parts, table, type Text, titled } from '../terminal.ts';
import { personalView, type PersonalView, plainView, type PlainView } from './case-view.ts';
import { CASE, currentState, findCase } from './current-case.ts';

/** A case: everything that is not personal; with `--reveal`, and a reason that is logged, the rest. */
export function showCommand(parent: Command, run: Run): void {
  parent
    .command('show')
    .description('where a case stands, what happens next, and all that has happened; nothing personal')
    .argument(...CASE)
    .option(
      '--reveal',
      'names, addresses, the injury and what was written too; needs --reason, and is logged',
    )
    .option('--reason <text>', 'why you have to see it', note)
    .addHelpText(
      'after',
      examples(
        ['case show 3f2a9c1e', 'by the beginning of its id'],
        ['case show TF-2026-000123', "by the partner's reference"],
        ['case show 3f2a9c1e --reveal --reason "the customer asked to be called"', 'whom to call'],
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

/** Written down before anything is shown: where that fails, nothing is. */
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
      ['Last day', `${view.bookingDeadline} (passes ${formatTimestamp(view.deadlinePassesAt)})`],
      ['Problem', view.problem && `${view.problem.code} since ${formatTimestamp(view.problem.since)}`],
      ['Recalled', view.recall && recalled(view.recall)],
      ['Policy', verified(view, 'policy')],
      ['Referral', verified(view, 'referral')],
      ['Reached by', reachedBy(view.reach)],
      [
        'Customer',
        view.boundAt ? `logged in, bound ${formatTimestamp(view.boundAt)}` : 'nobody has logged in',
      ],
      ['Link', view.bookingUrl],
      ['Created', formatTimestamp(view.createdAt)],
      ['Changed', formatTimestamp(view.updatedAt)],
    ]),
    titled('Appointments', bookings(view)),
    titled('Messages', messages(view)),
    view.requests.length > 0 ? titled('Requests for help', requests(view)) : null,
    titled('Timeline', timeline(view)),
  );

const recalled = ({ at, hasReason }: { at: Instant; hasReason: boolean }): string =>
  `${formatTimestamp(at)}${hasReason ? ', for a reason that --reveal shows' : ''}`;

function verified({ verification }: PlainView, kind: 'policy' | 'referral'): string | null {
  const said = verification[kind];
  if (!said) return null;
  const why = said.reasons.length > 0 ? ` (${said.reasons.join(', ')})` : '';
  const validity =
    said.validFrom || said.validTo ? `, valid ${said.validFrom ?? ''}–${said.validTo ?? ''}` : '';
  return `${said.outcome.replace('_', ' ')}${why} ${formatTimestamp(said.checkedAt)}${validity}`;
}

const reachedBy = ({ email, sms }: PlainView['reach']): string =>
  [email && 'e-mail', sms && 'SMS'].filter(Boolean).join(', ');

const bookings = (view: PlainView): Text =>
  table(
    ['Start', 'Minutes', 'Provider', 'Where', 'Standing', 'Booking'],
    view.bookings.map((b) => [
      formatTimestamp(b.start),
      String((Date.parse(b.end) - Date.parse(b.start)) / 60_000),
      b.providerName ?? b.providerId,
      b.location ?? '',
      b.standing,
      b.bookingId,
    ]),
    'None.',
  );

const messages = (view: PlainView): Text =>
  table(
    ['When', 'What', 'By', 'Status', 'Why'],
    view.messages.map(({ at, kind, channel, status, reason }) => [
      formatTimestamp(at),
      kind,
      channel,
      status,
      reason ?? '',
    ]),
    'None yet.',
  );

const requests = (view: PlainView): Text =>
  table(
    ['When', 'Wants to be reached by', 'Message'],
    view.requests.map(({ at, preferredContact, hasMessage }) => [
      formatTimestamp(at),
      preferredContact ?? 'either',
      hasMessage ? '--reveal shows it' : 'none',
    ]),
    'None.',
  );

const timeline = (view: PlainView): Text =>
  table(
    ['When', 'What', 'Who', 'More'],
    view.timeline.map(({ at, type, actor, data }) => [formatTimestamp(at), type, actor, more(data)]),
    'Empty.',
  );

const more = (data: Readonly<Record<string, unknown>>): string =>
  Object.entries(data)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${[value].flat().map(word).join('+')}`)
    .join(', ');

function word(value: unknown): string {
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return formatTimestamp(text as Instant);
  // an id's beginning is enough to tell it from others; --json has all of it
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) ? text.slice(0, 8) : text;
}

const personalText = (view: PersonalView): Text =>
  titled(
    'Personal data',
    facts([
      ['Name', `${view.firstName} ${view.lastName}`],
      ['E-mail', view.email ?? 'none'],
      ['Phone', view.phone ?? 'none'],
      ['Injury', `${view.injuryDate}${view.injuryDescription ? `: ${view.injuryDescription}` : ''}`],
      ['Logged in', view.boundPerson && loggedIn(view.boundPerson)],
      ['Recalled', view.recallReason && `"${view.recallReason}"`],
      ...view.practitioners.map(({ bookingId, practitioner }): [string, string] => [
        'Practitioner',
        `${practitioner} (booking ${bookingId})`,
      ]),
      ...view.requests.map(({ at, message }): [string, string] => [
        'Asked',
        `${formatTimestamp(at)}: ${message === null ? 'no message' : `"${message}"`}`,
      ]),
    ]),
  );

const loggedIn = ({ givenName, familyName, birthDate }: NonNullable<PersonalView['boundPerson']>): string =>
  `${givenName} ${familyName}${birthDate ? `, born ${birthDate}` : ''}`;
