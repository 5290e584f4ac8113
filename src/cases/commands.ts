import { deadlineOn } from '../calendar/dates.ts';
import { type Channel, CHANNELS } from '../domain/case-state.ts';
import type { Author } from '../domain/command.ts';
import { isCorrection } from '../domain/contactability.ts';
import { NAME_FIELDS, type NameField } from '../domain/events.ts';
import { type CalendarDate, instant } from '../domain/instant.ts';
import { RESENDS_A_DAY } from '../domain/limits.ts';
import { type CommandRefusal, mayDo, permit } from '../domain/permit.ts';
import type { Action } from '../domain/transitions.ts';
import { returnQuota, takeQuota } from '../postgres/case-quotas.ts';
import { writeText } from '../postgres/case-texts.ts';
import type { CaseView } from '../postgres/cases.ts';
import { stageCorrection, withdrawCorrection } from '../postgres/customers.ts';
import { listSentChannels } from '../postgres/messages.ts';
import { createReconciliationRepository } from '../postgres/reconciliation.ts';
import { isDatabaseUnreachable } from '../postgres/database-errors.ts';
import type { Database } from '../postgres/database.ts';
import type { CaseClient, CaseRef, CommandResult } from '../temporal/case-client.ts';

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
  | { readonly code: 'IDENTITY_BOUND'; readonly fields: readonly NameField[] };

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
  view: CaseView & Pick<CaseRef, 'expected' | 'isShownLater'>,
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

/**
 * The way back for a case whose workflow is gone, from what is written down of it.
 *
 * @returns false where its workflow has come to its end. @throws when Temporal does not answer
 */
export async function restartLost(
  { database, caseClient }: Pick<CaseCommandDeps, 'database'> & { caseClient: Pick<CaseClient, 'restart'> },
  view: CaseView,
): Promise<boolean> {
  const { channels } = view.state.contactability;
  const sent = view.revision === 0 ? await listSentChannels(database, view.id) : [];
  const isInvited = CHANNELS.every((channel) => !channels[channel].hasAddress || sent.includes(channel));
  const runs = await caseClient.restart({ ...view, isInvited });
  if (runs) await createReconciliationRepository(database).noteLost(view.id, null);
  return runs;
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
  names: NAME_FIELDS.filter((field) => {
    const [given, before] =
      field === 'patientFirstName'
        ? [changes.firstName, view.patient_first_name]
        : [changes.lastName, view.patient_last_name];
    return given !== undefined && given !== before;
  }),
});

/** All or nothing, so everything is judged before anything is done. */
export async function changeCase(
  deps: CaseCommandDeps,
  view: CaseView,
  { author, ...changes }: CaseChanges & { readonly author: Author },
): Promise<CaseCommandResult> {
  const { caseClient, now } = deps;
  const { deadline, channels, names } = changesOf(view, changes);
  if (changes.phone?.takesSms === false && !(changes.email ?? view.patient_email))
    return refused({ code: 'NO_WAY_TO_REACH' });
  const steps: { readonly action: Action; readonly run: () => Promise<CaseCommandResult> }[] = [];
  if (deadline) {
    const input = { deadline: deadlineOn(deadline) };
    steps.push({
      action: 'moveDeadline',
      run: () => caseClient.execute(view, 'moveDeadline', input, author),
    });
  }
  if (channels.length > 0)
    steps.push({ action: 'changeContact', run: () => changeContact(deps, view, changes, channels, author) });
  if (names.length > 0)
    steps.push({ action: 'correctName', run: () => correctName(deps, view, changes, names, author) });
  for (const { action } of steps) {
    const verdict = permit(view.state, action, instant(now()));
    if (verdict.verdict === 'refused') return refused(verdict.refusal);
  }
  if (names.length > 0 && view.is_bound) return refused({ code: 'IDENTITY_BOUND', fields: names });

  let result: CaseCommandResult = { outcome: 'done', state: view.state };
  for (const [i, { run }] of steps.entries()) {
    result = await (i === 0 ? run() : unknownWhereAway(run));
    if (result.outcome !== 'done') return result;
  }
  return result;
}

async function changeContact(
  { database, caseClient }: CaseCommandDeps,
  view: CaseView,
  { email, phone }: CaseChanges,
  corrected: readonly Channel[],
  author: Author,
): Promise<CommandResult> {
  const before = view.state.contactability.channels;
  const hasAddress = {
    email: email !== undefined || before.email.hasAddress,
    sms: phone?.takesSms ?? before.sms.hasAddress,
  };
  const staged = await stageCorrection(database, view.id, { patientEmail: email, patientPhone: phone?.e164 });
  const input = { hasAddress, corrected, correctionId: staged };
  const result = await caseClient.execute(view, 'changeContact', input, author);
  if (result.outcome === 'refused' || result.outcome === 'unavailable')
    await withdrawCorrection(database, staged);
  return result;
}

async function correctName(
  { database, caseClient }: CaseCommandDeps,
  view: CaseView,
  { firstName, lastName }: CaseChanges,
  fields: readonly NameField[],
  author: Author,
): Promise<CaseCommandResult> {
  const names = { patientFirstName: firstName, patientLastName: lastName };
  const staged = await stageCorrection(database, view.id, names);
  const result = await caseClient.execute(view, 'correctName', { fields, correctionId: staged }, author);
  if (result.outcome === 'refused' || result.outcome === 'unavailable')
    await withdrawCorrection(database, staged);
  if (result.outcome !== 'done') return result;
  // it is there still where somebody was bound by the old names before the new ones were written
  return unknownWhereAway(async () =>
    (await withdrawCorrection(database, staged)) ? refused({ code: 'IDENTITY_BOUND', fields }) : result,
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
