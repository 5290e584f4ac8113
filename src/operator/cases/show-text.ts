import { timeInList } from '../../calendar/format.ts';
import type { Instant } from '../../domain/instant.ts';
import { facts, parts, table, titled, type Text } from '../text.ts';
import type { PersonalView } from './personal-view.ts';
import type { PlainView } from './plain-view.ts';

export const plainText = (view: PlainView): Text =>
  parts(
    `Case ${view.id}, ${view.according}.`,
    facts([
      ['Partner', `${view.partnerName} (${view.partnerId})`],
      ['Reference', view.partnerCaseId],
      ['Treatment', view.treatmentType],
      ['Status', view.status],
      ['Now', view.now.replaceAll('\n\n', '\n')],
      ['Possible', view.possible.join(', ') || 'nothing'],
      ['Last day', `${view.bookingDeadline} (passes ${timeInList(view.deadlinePassesAt)})`],
      ['Problem', view.problem && `${view.problem.code} since ${timeInList(view.problem.since)}`],
      ['Recalled', view.recall && recalled(view.recall)],
      ['Policy', verified(view, 'policy')],
      ['Referral', verified(view, 'referral')],
      ['Reached by', reachedBy(view.reach)],
      ['Customer', view.boundAt ? `logged in, bound ${timeInList(view.boundAt)}` : 'nobody has logged in'],
      ['Link', view.bookingUrl],
      ['Created', timeInList(view.createdAt)],
      ['Changed', timeInList(view.updatedAt)],
    ]),
    titled('Appointments', bookings(view)),
    titled('Messages', messages(view)),
    view.requests.length > 0 ? titled('Requests for help', requests(view)) : null,
    titled('Timeline', timeline(view)),
  );

const recalled = ({ at, hasReason }: { at: Instant; hasReason: boolean }): string =>
  `${timeInList(at)}${hasReason ? ', for a reason that --reveal shows' : ''}`;

function verified({ verification }: PlainView, kind: 'policy' | 'referral'): string | null {
  const said = verification[kind];
  if (!said) return null;
  const why = said.reasons.length > 0 ? ` (${said.reasons.join(', ')})` : '';
  const validity =
    said.validFrom || said.validTo ? `, valid ${said.validFrom ?? ''}–${said.validTo ?? ''}` : '';
  return `${said.outcome.replace('_', ' ')}${why} ${timeInList(said.checkedAt)}${validity}`;
}

const reachedBy = ({ email, sms }: PlainView['reach']): string =>
  [email && 'e-mail', sms && 'SMS'].filter(Boolean).join(', ');

const bookings = (view: PlainView): Text =>
  table(
    ['Start', 'Minutes', 'Provider', 'Where', 'Standing', 'Booking'],
    view.bookings.map((b) => [
      timeInList(b.start),
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
      timeInList(at),
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
      timeInList(at),
      preferredContact ?? 'either',
      hasMessage ? '--reveal shows it' : 'none',
    ]),
    'None.',
  );

const timeline = (view: PlainView): Text =>
  table(
    ['When', 'What', 'Who', 'More'],
    view.timeline.map(({ at, type, actor, data }) => [timeInList(at), type, actor, more(data)]),
    'Empty.',
  );

const more = (data: Readonly<Record<string, unknown>>): string =>
  Object.entries(data)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${[value].flat().map(word).join('+')}`)
    .join(', ');

function word(value: unknown): string {
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return timeInList(text as Instant);
  // an id's beginning is enough to tell it from others; --json has all of it
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) ? text.slice(0, 8) : text;
}

export const personalText = (view: PersonalView): Text =>
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
        `${timeInList(at)}: ${message === null ? 'no message' : `"${message}"`}`,
      ]),
    ]),
  );

const loggedIn = ({ givenName, familyName, birthDate }: NonNullable<PersonalView['boundPerson']>): string =>
  `${givenName} ${familyName}${birthDate ? `, born ${birthDate}` : ''}`;
