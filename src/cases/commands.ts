import { deadlineOn } from '../calendar/dates.ts';
import { type Channel, CHANNELS } from '../domain/case-state.ts';
import type { Author } from '../domain/command.ts';
import { isCorrection } from '../domain/contactability.ts';
import { type CalendarDate, instant } from '../domain/instant.ts';
import { RESENDS_A_DAY } from '../domain/limits.ts';
import { type CommandRefusal, mayDo, permit } from '../domain/permit.ts';
import { returnQuota, takeQuota } from '../postgres/case-quotas.ts';
import { writeText } from '../postgres/case-texts.ts';
import { type CaseView, readBoundSince } from '../postgres/cases.ts';
import { correctNames, stageCorrection } from '../postgres/customers.ts';
import { isDatabaseUnreachable } from '../postgres/database-errors.ts';
import type { Database } from '../postgres/database.ts';
import type { CaseClient, CommandResult } from '../temporal/case-client.ts';

/**
 * The commands that are more than a word to the case's workflow: they have rows that go before it, or rules of their own.
 * All others are `caseClient.execute`. HTTP and the command line do the same here, and differ in how they tell it.
 */

export interface CaseCommandDeps {
  readonly database: Database;
  readonly caseClient: Pick<CaseClient, 'execute'>;
  readonly now: () => Date;
}

/** What came of one: as of a command to the workflow, with refusals that are not the workflow's. */
export type CaseCommandResult =
  | Exclude<CommandResult, { outcome: 'refused' }>
  | { readonly outcome: 'refused'; readonly refusal: CaseCommandRefusal };

export type CaseCommandRefusal =
  | CommandRefusal
  /** The case has no address for this channel. */
  | { readonly code: 'NO_ADDRESS'; readonly channel: Channel }
  /** `retryAfter`: seconds. */
  | { readonly code: 'CASE_LIMIT_EXCEEDED'; readonly retryAfter: number }
  /** The only address would be a phone that gets no SMS. */
  | { readonly code: 'NO_WAY_TO_REACH' }
  /** Somebody has logged in by these names. */
  | { readonly code: 'IDENTITY_BOUND'; readonly names: readonly ('firstName' | 'lastName')[] };

const refused = (refusal: CaseCommandRefusal) => ({ outcome: 'refused', refusal }) as const;

/** Ends the case for its partner. */
export async function recallCase(
  { database, caseClient, now }: CaseCommandDeps,
  view: CaseView,
  { reason, author }: { readonly reason: string | null; readonly author: Author },
): Promise<CommandResult> {
  // free text is a row first; the workflow gets its id
  const isNews = reason !== null && mayDo(view.state, 'recall', instant(now()));
  const textId = isNews ? await writeText(database, view.id, { kind: 'recall_reason', body: reason }) : null;
  return caseClient.execute(view, 'recall', { textId }, author);
}

/** Sends the booking link again, so many times a day. `channel`: null for wherever the case has an address. */
export async function resendLink(
  { database, caseClient }: CaseCommandDeps,
  view: CaseView,
  { channel, author }: { readonly channel: Channel | null; readonly author: Author },
): Promise<CaseCommandResult> {
  if (channel && !view.state.contactability.channels[channel].hasAddress)
    return refused({ code: 'NO_ADDRESS', channel });
  const quota = await takeQuota(database, { caseId: view.id, kind: 'resend', perDay: RESENDS_A_DAY });
  if (!quota.isGranted) return refused({ code: 'CASE_LIMIT_EXCEEDED', retryAfter: quota.retryAfter });
  const result = await caseClient.execute(view, 'resendLink', { channel }, author);
  // where nobody knows, it may have been sent
  if (result.outcome === 'refused' || result.outcome === 'unavailable') await returnQuota(database, quota.id);
  return result;
}

/** What a case may be changed in; what is left out stays. */
export interface CaseChanges {
  readonly bookingDeadline?: CalendarDate | undefined;
  readonly email?: string | undefined;
  readonly phone?: { readonly e164: string; readonly takesSms: boolean } | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

/** What of it is really a change. An address that was disowned is confirmed by giving it again. */
export const changesOf = (view: CaseView, changes: CaseChanges) => ({
  deadline: changes.bookingDeadline === view.state.deadline.date ? undefined : changes.bookingDeadline,
  channels: CHANNELS.filter((channel) =>
    channel === 'email'
      ? isCorrection(view.state, channel, changes.email, view.patient_email)
      : isCorrection(view.state, channel, changes.phone?.e164, view.patient_phone),
  ),
  names: (['firstName', 'lastName'] as const).filter((name) => changes[name] !== undefined),
});

/** All or nothing, so everything is judged before anything is done. */
export async function changeCase(
  { database, caseClient, now }: CaseCommandDeps,
  view: CaseView,
  { author, ...changes }: CaseChanges & { readonly author: Author },
): Promise<CaseCommandResult> {
  const { deadline, channels, names } = changesOf(view, changes);
  const { email, phone, firstName = null, lastName = null } = changes;
  if (phone?.takesSms === false && !(email ?? view.patient_email))
    return refused({ code: 'NO_WAY_TO_REACH' });
  for (const action of [deadline && 'moveDeadline', channels.length > 0 && 'changeContact'] as const) {
    const verdict = action && permit(view.state, action, instant(now()));
    if (verdict && verdict.verdict === 'refused') return refused(verdict.refusal);
  }
  if (names.length > 0 && (await readBoundSince(database, view.id)))
    return refused({ code: 'IDENTITY_BOUND', names });

  let result: CaseCommandResult = { outcome: 'done', state: view.state };
  if (deadline)
    result = await caseClient.execute(view, 'moveDeadline', { deadline: deadlineOn(deadline) }, author);
  if (result.outcome === 'done' && channels.length > 0) {
    const correct = async () => {
      const addresses = { patientEmail: email ?? null, patientPhone: phone?.e164 ?? null };
      const correctionId = await stageCorrection(database, view.id, addresses);
      const before = view.state.contactability.channels;
      const input = {
        hasAddress: {
          email: email !== undefined || before.email.hasAddress,
          sms: phone?.takesSms ?? before.sms.hasAddress,
        },
        corrected: channels,
        correctionId,
      };
      return caseClient.execute(view, 'changeContact', input, author);
    };
    result = await (deadline ? unknownWhereAway(correct) : correct());
  }
  if (result.outcome !== 'done' || names.length === 0) return result;
  const { state } = result;
  return unknownWhereAway(async () =>
    (await correctNames(database, view.id, { first: firstName, last: lastName }))
      ? { outcome: 'done', state }
      : refused({ code: 'IDENTITY_BOUND', names }),
  );
}

/** Part of it is done already, so nobody may be told that nothing happened. */
async function unknownWhereAway(work: () => Promise<CaseCommandResult>): Promise<CaseCommandResult> {
  try {
    const result = await work();
    return result.outcome === 'unavailable' ? { outcome: 'unknown' } : result;
  } catch (error) {
    if (isDatabaseUnreachable(error)) return { outcome: 'unknown' };
    throw error;
  }
}
