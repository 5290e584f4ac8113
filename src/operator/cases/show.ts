import { formatTimestamp } from '../../calendar/format.ts';
import { EVENT_TYPES } from '../../domain/events.ts';
import type { CaseView } from '../../postgres/cases.ts';
import type { InputOf } from '../descriptions/index.ts';
import { answer, type Answer, logged, type Operation } from '../operation.ts';
import { wrongUsage } from '../operator-error.ts';
import { cell, facts, parts, table, titled, type View } from '../view.ts';
import { personalView, type PersonalView, plainView, type PlainView } from './case-view.ts';
import { currentState, findCase } from './current-case.ts';

/** A case: everything that is not personal; with `reveal`, and a reason that is logged, the rest. */
export async function showCase(operation: Operation, input: InputOf<'case show'>): Promise<Answer> {
  const { reveal, reason, ticket } = input;
  if (!reveal && (reason ?? ticket) !== undefined)
    throw wrongUsage('--reason and --ticket go with --reveal.');
  const why = reveal ? reasonOf(input) : null;
  const view = await findCase(operation, input.case);
  const plain = await plainView(operation, view, await currentState(operation, view));
  const personal = why && (await revealPersonalData(operation, view, why));
  return answer(parts(plainText(plain), personal && personalText(personal)), {
    ...plain,
    ...(personal ? { personal } : {}),
  });
}

interface Why {
  readonly reason: string;
  readonly ticket: string;
}

function reasonOf({ reason, ticket }: Partial<Why>): Why {
  if (reason !== undefined && ticket !== undefined) return { reason, ticket };
  throw wrongUsage(
    '--reveal shows personal data, so say why and for which ticket: --reason "<text>" --ticket <id>. It is logged.',
  );
}

/** Logged before anything is shown: where that fails, nothing is. */
function revealPersonalData(
  operation: Operation,
  view: CaseView,
  { reason, ticket }: Why,
): Promise<PersonalView> {
  const entry = { action: 'case.reveal', caseId: view.id, note: reason, ticket };
  return logged(operation, entry, () => {
    operation.say(`Logged: ${operation.actor.name} sees the personal data of this case.`);
    return personalView(operation, view);
  });
}

const plainText = (view: PlainView): View =>
  parts(
    `Case ${view.id}, ${view.according}.`,
    facts([
      ['Partner', `${view.partnerName} (${view.partnerId})`],
      ['Reference', view.partnerCaseId],
      ['Treatment', view.treatmentType],
      ['Status', view.status],
      ['Now', view.now.replaceAll('\n\n', '\n')],
      ...view.attentions.map(
        ({ kind, since, why }) => [kind, `since ${formatTimestamp(since)}: ${why}`] as const,
      ),
      ['Taken by', view.takenBy && `${view.takenBy}, ${formatTimestamp(view.takenAt ?? view.updatedAt)}`],
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
      ['Workflow', view.workflowUrl],
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
    view.work.length > 0 ? titled('What operators did', work(view)) : null,
    view.requests.length > 0 ? titled('Requests for help', requests(view)) : null,
    titled(
      'Timeline',
      table({ When: 'at', What: 'type', Who: 'actor', More: more }, view.timeline, 'Empty.'),
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

const appointments = (view: PlainView): View =>
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
const unbound = (view: PlainView): View =>
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

const work = (view: PlainView): View =>
  table(
    {
      When: 'at',
      Who: 'operator',
      What: 'action',
      Outcome: ({ outcome }) => outcome ?? 'interrupted',
      Note: 'note',
    },
    view.work,
    'Nothing.',
  );

const requests = (view: PlainView): View =>
  table(
    {
      When: 'at',
      'Preferred contact': ({ preferredContact }) => preferredContact ?? 'either',
      Message: ({ hasMessage }) => (hasMessage ? '--reveal shows it' : 'none'),
    },
    view.requests,
    'None.',
  );

/** What an event tells, in the order in which its fields are described: a start comes before its end. */
const more = ({ type, data }: PlainView['timeline'][number]): string =>
  EVENT_TYPES[type].data
    .map((name) => [name, data[name]] as const)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name} ${[value].flat().map(shortened).join('+')}`)
    .join(', ');

/** An id's beginning is enough to tell it from others; --json has all of it. */
const shortened = (value: unknown): string =>
  cell(value).replace(/^([\da-f]{8})(-[\da-f]{4}){3}-[\da-f]{12}$/, '$1');

const personalText = (view: PersonalView): View =>
  titled(
    'Personal data',
    facts([
      ['Name', `${view.firstName} ${view.lastName}`],
      ['E-mail', view.email ?? 'none'],
      ['Phone', view.phone ?? 'none'],
      ['Injury', [view.injuryDate, view.injuryDescription].filter(Boolean).join(': ')],
      ['Logged in', view.boundPerson && personText(view.boundPerson)],
      ...view.unboundPersons.map((person) => [`Unbound ${person.id}`, personText(person)] as const),
      ['Recalled', view.recallReason && `"${view.recallReason}"`],
      ...view.practitioners.map(
        ({ bookingId, practitioner }) => ['Practitioner', `${practitioner} (booking ${bookingId})`] as const,
      ),
      ...view.requests.map((asked) => ['Asked', askedText(asked)] as const),
    ]),
  );

function askedText(asked: PersonalView['requests'][number]): string {
  const { at, message, phone, bestTime, interpreter, helper } = asked;
  const said = [
    message === null ? 'no message' : `"${message}"`,
    helper && `by ${helper.name} (${helper.relation ?? 'helper'})`,
    phone && `call ${phone}`,
    bestTime && `in the ${bestTime}`,
    interpreter && `interpreter for ${interpreter}`,
  ];
  return `${formatTimestamp(at)}: ${said.filter(Boolean).join(', ')}`;
}

const personText = ({ givenName, familyName, birthDate }: NonNullable<PersonalView['boundPerson']>): string =>
  `${givenName} ${familyName}${birthDate ? `, born ${birthDate}` : ''}`;
