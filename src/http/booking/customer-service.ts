import { createHash, randomUUID } from 'node:crypto';
import { bookingIdOf } from '../../domain/case-state.ts';
import type { CaseId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import { HELP_REQUESTS_A_DAY } from '../../domain/limits.ts';
import { type CustomerAction, customerActions, mayDo, permit } from '../../domain/permit.ts';
import { type Slot, slotOf } from '../../domain/slot.ts';
import { returnQuota, takeQuota } from '../../postgres/case-quotas.ts';
import {
  type AnswerWanted,
  hasText,
  noteRequestSignalled,
  writeTextOnce,
} from '../../postgres/case-texts.ts';
import { type CaseView, readCase } from '../../postgres/cases.ts';
import { afterCommand, stateOrThrow } from '../command-result.ts';
import type { Dependencies } from '../dependencies.ts';
import { ApiError, caseNotFound, refusalError, validationFailed } from '../errors.ts';
import { createOfferedSlots } from './offered-slots.ts';

export interface HelpRequest extends AnswerWanted {
  readonly message: string | null;
  /** Which form was sent: the same words sent twice from one are one request. */
  readonly formId?: string;
}

/** What a customer does to a case, the same over the API and on the pages. Whoever calls has checked who it is. */
export function createCustomerService(deps: Dependencies) {
  const { database, caseClient, slotTokens, now } = deps;
  const times = createOfferedSlots(deps);

  /** After a command was done. */
  const fresh = async (view: CaseView): Promise<CaseView> => {
    const read = await afterCommand(() => readCase(database, view.id));
    if (!read) throw caseNotFound();
    return read;
  };

  return {
    times,

    /** The case as its workflow has it this moment; as it was last written down, when the workflow does not answer at once. */
    async current(view: CaseView): Promise<CaseView> {
      const state = view.workflow_started_at && (await caseClient.query(view.id));
      return state && bookingIdOf(state) === bookingIdOf(view.state) ? { ...view, state } : view;
    },

    /**
     * @param preferred which alternatives the customer would rather have
     * @throws SLOT_UNKNOWN, SLOT_TAKEN with `details.alternatives`, and what else the case's status refuses
     */
    async confirm(view: CaseView, slotId: string, preferred?: (slot: Slot) => boolean): Promise<CaseView> {
      const slot = slotTokens.read(view.id, slotId);
      if (!slot) throw new ApiError('SLOT_UNKNOWN');
      const result = await caseClient.execute(view, 'confirm', { slot: slotOf(slot) }, 'customer');
      if (result.outcome === 'refused' && result.refusal.code === 'SLOT_TAKEN') {
        const { code, message } = refusalError(result.refusal, forCustomers(view));
        throw new ApiError(code, message, { alternatives: await times.alternatives(view, slot, preferred) });
      }
      stateOrThrow(result, forCustomers(view));
      return fresh(view);
    },

    async cancel(view: CaseView): Promise<CaseView> {
      stateOrThrow(await caseClient.execute(view, 'cancel', {}, 'customer'), forCustomers(view));
      return fresh(view);
    },

    /** The request is a row first, so it is kept even when the workflow can not be told now: then a worker does. */
    async requestAssistance(view: CaseView, request: HelpRequest): Promise<void> {
      const verdict = permit(view.state, 'requestAssistance', instant(now()));
      if (verdict.verdict === 'refused') throw refusalError(verdict.refusal, forCustomers(view));
      if (lacksNumber(view, request)) throw validationFailed([PHONE_NEEDED]);
      const id = textIdOf(view.id, request);
      if (await hasText(database, id)) return;
      const turn = await takeQuota(database, {
        caseId: view.id,
        kind: 'assistance',
        perDay: HELP_REQUESTS_A_DAY,
      });
      if (!turn.isGranted) {
        const words = `Help can be asked for ${HELP_REQUESTS_A_DAY} times in 24 hours. If it is urgent, please call us.`;
        throw new ApiError('CASE_LIMIT_EXCEEDED', words, {}, turn.retryAfter);
      }
      const text = { id, kind: 'assistance_request', body: request.message, answer: request } as const;
      if (!(await writeTextOnce(database, view.id, text))) {
        // by the first of two clicks, a moment ago
        await returnQuota(database, turn.id);
        return;
      }
      const outcome = await caseClient.signal(view, 'requestAssistance', { actor: 'customer' });
      if (outcome !== 'unreachable') await noteRequestSignalled(database, id);
    },
  };
}

/** Nobody can be called whose number neither the insurer nor they have given. */
export const lacksNumber = (
  { patient_phone: known }: CaseView,
  { preferredContact, phone, helper }: Pick<HelpRequest, 'preferredContact' | 'phone' | 'helper'>,
): boolean => phone === null && (helper !== null || (preferredContact === 'phone' && known === null));

const PHONE_NEEDED = {
  field: 'phone',
  code: 'required' as const,
  message: 'must be given: we have no number to call, or a helper asks.',
};

/** The same for what is sent twice from one form; else there is none like it. */
const textIdOf = (
  caseId: CaseId,
  { formId = randomUUID(), message, preferredContact, phone, bestTime, interpreter, helper }: HelpRequest,
): string =>
  createHash('sha256')
    .update(JSON.stringify([caseId, formId, message, preferredContact, phone, bestTime, interpreter, helper]))
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** Without words about the status for somebody who may not know it: a stranger is never refused by it. */
const forCustomers = (view: CaseView) => (allowed: readonly string[]) =>
  (['confirm', 'cancel', 'requestAssistance'] as const)
    .filter((action) => allowed.includes(action))
    .map((action) => (action === 'confirm' && view.state.status === 'booked' ? 'change' : action));

/** Whether a time can be chosen now: a first one, or another. */
export const mayChoose = (view: CaseView, now: Date): boolean => mayDo(view.state, 'confirm', instant(now));

export const allowedToCustomer = (view: CaseView, now: Date): CustomerAction[] =>
  customerActions(view.state, instant(now));
