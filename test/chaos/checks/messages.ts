import { createHash } from 'node:crypto';
import { type Account, numberOf } from '../actors/account.ts';
import type { Check, Outside, SeenMessage, SeenRow, Violation } from '../outside.ts';
import { idOf } from './cases.ts';

/** P4: each message that was ordered got there, on each channel by itself; twice only as the very same message. */
export const messages: Check = (outside) => {
  const { accounts, workflows, rows } = outside;
  const byWorkflow = new Map(workflows.map((workflow) => [workflow.workflowId, workflow.messages]));
  return [
    ...accounts.flatMap((account) => {
      const id = idOf(account);
      if (!id) return [];
      const ordered = byWorkflow.get(`case-${id}`) ?? [];
      const row = rows.find((one) => one.id === id);
      return [
        ...outcomes(id, account, ordered),
        ...(row ? missing(row, account, ordered) : []),
        ...mails(id, account, ordered, outside),
        ...texts(id, account, ordered, outside),
      ];
    }),
    ...misdirected(outside),
  ];
};

const violation = (caseId: string | null, expected: string, seen: string): Violation => ({
  promise: 'P4',
  caseId,
  expected,
  seen,
});

/** No longer worth sending once the case has gone on; all others are true for ever. */
const MAY_BE_DROPPED = [
  'invitation',
  'reminder',
  'appointment_reminder',
  'earlier_time',
  'choose_again',
  'receipt',
  'changed',
];

const accepts = ({ planned: { channels } }: Account, channel: string): boolean =>
  channel === 'email' ? channels === 'both' || channels === 'email' : channels !== 'email';

function outcomes(id: string, account: Account, ordered: readonly SeenMessage[]): Violation[] {
  const ids = ordered.map(({ dedupId }) => dedupId);
  const doubles = ids.filter((dedupId, i) => ids.indexOf(dedupId) !== i);
  return [
    ...doubles.map((dedupId) => violation(id, 'each message ordered once', `${dedupId} twice`)),
    ...ordered.flatMap(({ dedupId, kind, channel, outcome }) => {
      if (outcome === 'sent') return [];
      if (outcome === 'failed' && !accepts(account, channel)) return [];
      if (outcome === 'dropped' && MAY_BE_DROPPED.includes(kind)) return [];
      return [violation(id, `${dedupId} sent`, outcome ?? 'not yet, or never')];
    }),
  ];
}

/** What the customer must have been told about the case as it is now. */
function missing(
  { id, status, bookingId }: SeenRow,
  account: Account,
  ordered: readonly SeenMessage[],
): Violation[] {
  const isNews = (message: SeenMessage): boolean => {
    switch (status) {
      case 'booked':
        return ['receipt', 'changed'].includes(message.kind) && message.bookingId === bookingId;
      case 'recalled':
        return message.kind === 'recalled';
      case 'pending_patient_action':
        return ['invitation', 'cancelled', 'choose_again'].includes(message.kind);
      default:
        return true;
    }
  };
  const silent = (['email', 'sms'] as const).filter(
    (channel) =>
      accepts(account, channel) &&
      !ordered.some(
        (message) => message.channel === channel && message.outcome === 'sent' && isNews(message),
      ),
  );
  // one that expired before its first message left has nothing to tell
  if (status === 'deadline_expired' || status === 'assistance_requested') return [];
  return silent.map((channel) => violation(id, `a message by ${channel} that it is ${status}`, 'none'));
}

function mails(
  id: string,
  { planned }: Account,
  ordered: readonly SeenMessage[],
  outside: Outside,
): Violation[] {
  const arrived = outside.mails
    .filter(({ to }) => numberOf(to) === planned.number)
    .map(({ messageId }) => messageId.replaceAll(/^<|@.*$/g, ''));
  const byMail = ordered.filter(({ channel }) => channel === 'email');
  const lost = byMail.filter(
    ({ dedupId, outcome }) => outcome === 'sent' && !arrived.includes(hashOf(dedupId)),
  );
  const known = new Set(byMail.map(({ dedupId }) => hashOf(dedupId)));
  return [
    ...lost.map(({ dedupId }) => violation(id, `${dedupId} in the mail box`, 'it is not there')),
    ...arrived
      .filter((hash) => !known.has(hash))
      .map((hash) => violation(id, 'mails that were ordered only', `one with the Message-ID ${hash}`)),
    ...byMail.flatMap(({ dedupId, attempts }) => {
      const copies = arrived.filter((hash) => hash === hashOf(dedupId)).length;
      return copies > attempts
        ? [violation(id, `${dedupId} as often as it was tried, ${attempts} times`, `${copies} times`)]
        : [];
    }),
  ];
}

/** The mail's Message-ID. */
const hashOf = (dedupId: string): string => createHash('sha256').update(dedupId).digest('hex').slice(0, 32);

/**
 * A text has no id of its own: it is known by its words. A repetition may say it in other words than the first attempt
 * did, whose answer was lost: then the case has gone on meanwhile.
 */
function texts(
  id: string,
  { planned }: Account,
  ordered: readonly SeenMessage[],
  outside: Outside,
): Violation[] {
  const bodyOf = new Map(outside.bodies.map(({ dedupId, body }) => [dedupId, body]));
  const bySms = ordered.filter(({ channel }) => channel === 'sms');
  const arrived = outside.texts.filter(({ to }) => numberOf(to) === planned.number).map(({ body }) => body);
  const expected = Map.groupBy(bySms, ({ dedupId }) => bodyOf.get(dedupId) ?? '');
  const wrong: Violation[] = [];
  let missing = 0;
  for (const [body, its] of expected) {
    const sent = its.filter(({ outcome }) => outcome === 'sent').length;
    const tried = its.reduce((sum, { attempts }) => sum + attempts, 0);
    const copies = arrived.filter((words) => words === body).length;
    const dedupIds = its.map(({ dedupId }) => dedupId).join(', ');
    missing += Math.max(0, sent - copies);
    if (copies > tried) wrong.push(violation(id, `${dedupIds} at most ${tried} times`, `${copies} times`));
  }
  const inOtherWords = arrived.filter((body) => !expected.has(body)).length;
  const repetitions = bySms.reduce((sum, { attempts }) => sum + Math.max(0, attempts - 1), 0);
  // a restore loses what stood in them
  const unknown = outside.lost ? bySms.filter(({ dedupId }) => !bodyOf.has(dedupId)).length : 0;
  if (missing > inOtherWords)
    wrong.push(violation(id, 'each text on the telephone', `${missing - inOtherWords} are not there`));
  if (inOtherWords > repetitions + unknown)
    wrong.push(violation(id, 'texts that were ordered only', `${inOtherWords} in other words`));
  return wrong;
}

/** Whatever went to nobody's address. */
function misdirected({ mails: all, texts: sms, accounts }: Outside): Violation[] {
  const numbers = new Set(accounts.map(({ planned }) => planned.number));
  const isMisdirected = (to: string) => {
    const number = numberOf(to);
    return number === null ? !to.startsWith('drift@') : !numbers.has(number);
  };
  const count = [...all, ...sms].filter(({ to }) => isMisdirected(to)).length;
  return count === 0
    ? []
    : [violation(null, "messages to the cases' customers and the operator only", `${count} others`)];
}
