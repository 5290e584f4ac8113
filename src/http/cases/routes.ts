import { randomUUID } from 'node:crypto';
import type { Response } from 'express';
import { deadlineOn } from '../../calendar/dates.ts';
import type { Channel } from '../../domain/case-state.ts';
import { openCase } from '../../domain/decide.ts';
import type { CaseId, PartnerId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import { mayDo, RESENDS_A_DAY } from '../../domain/permit.ts';
import { returnQuota, takeQuota } from '../../postgres/case-quotas.ts';
import type { CaseRow } from '../../postgres/case-row.ts';
import { writeText } from '../../postgres/case-texts.ts';
import { type CaseView, listCases } from '../../postgres/cases.ts';
import { createCase, type NewCase } from '../../postgres/create-case.ts';
import type { CommandInput, CommandName } from '../../temporal/case-client.ts';
import { partnerOf } from '../authentication.ts';
import { afterCommand, stateOrThrow } from '../command-result.ts';
import type { Dependencies } from '../dependencies.ts';
import { ApiError, validationFailed } from '../errors.ts';
import type { Add } from '../operation.ts';
import { requireOwnCursor } from '../pagination.ts';
import { caseJson } from './case-json.ts';
import { caseCursor, type CreateCaseInput } from './inputs.ts';
import * as described from './operations.ts';
import { forPartners, partnersCase } from './partners-case.ts';

/** What nobody has told of a case that is new. */
const NOTHING_YET = { booking: null, notifications: [], recall_reason: null, verifications: {} };

/** Create, read, list: contract §1. What acts on a case is in the files beside. */
export function caseRoutes(add: Add, deps: Dependencies): void {
  const { database, settings, idempotency, now } = deps;
  const { read, show } = partnersCase(deps);

  add(described.createCase, (call) =>
    idempotency.within(call, described.createCase, async (input, request) => {
      const at = now();
      const id = randomUUID() as CaseId;
      const location = `/api/v1/cases/${id}`;
      const bodyOf = (created: CaseRow) =>
        caseJson({ ...created, ...NOTHING_YET }, settings.publicUrl, instant(at));
      const outcome = await createCase(
        database,
        newCase(input, {
          id,
          partnerId: partnerOf(call.res),
          at,
          archiveAfterDays: settings.archiveAfterDays,
        }),
        request && { request, answerOf: (created) => ({ body: bodyOf(created), location }) },
      );
      if ('claim' in outcome) return outcome;
      if ('duplicateOf' in outcome) {
        throw new ApiError('DUPLICATE_PARTNER_CASE_ID', undefined, { caseId: outcome.duplicateOf });
      }
      call.res.location(location);
      return { claim: 'mine', output: bodyOf(outcome.created) };
    }),
  );

  add(described.listCases, async ({ res, query }) => {
    const partnerId = partnerOf(res);
    const { cursor, limit, status, ...filter } = await query();
    requireOwnCursor(cursor, partnerId);
    // one more than asked for tells whether there is a next page
    const rows = await listCases(database, {
      partnerId,
      filter: { ...filter, statuses: status },
      limit: limit + 1,
      after: cursor ?? null,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const at = instant(now());
    return {
      data: page.map((view) => caseJson(view, settings.publicUrl, at)),
      nextCursor: rows.length > limit && last ? caseCursor(partnerId, last) : null,
    };
  });

  add(described.getCase, async ({ param, res }) => show(await read(param('caseId'), res)));
}

function newCase(
  input: CreateCaseInput,
  context: { id: CaseId; partnerId: PartnerId; at: Date; archiveAfterDays: number },
): NewCase {
  const { id, partnerId, at, archiveAfterDays } = context;
  const opening = {
    deadline: deadlineOn(input.bookingDeadline),
    archiveAfterDays,
    reach: { email: Boolean(input.patientEmail), sms: input.patientPhone?.takesSms ?? false },
  };
  const { state } = openCase(opening, instant(at));
  const {
    patientEmail = null,
    patientPhone,
    injuryDescription = null,
    bookingDeadline: _inState,
    ...rest
  } = input;
  return {
    ...rest,
    id,
    partnerId,
    patientEmail,
    patientPhone: patientPhone?.e164 ?? null,
    injuryDescription,
    createdAt: instant(at),
    state,
  };
}

/** What a partner does to one case: contract §1. */
export function caseActionRoutes(add: Add, deps: Dependencies): void {
  const { database, caseClient, idempotency, now } = deps;
  const { read, show } = partnersCase(deps);

  const execute = async <N extends CommandName>(
    view: CaseView,
    command: N,
    input: CommandInput<N>,
    res: Response,
  ) => {
    stateOrThrow(await caseClient.execute(view, command, input, 'partner'), forPartners);
    return show(await afterCommand(() => read(view.id, res)));
  };

  add(described.recallCase, async ({ param, res, body }) => {
    const view = await read(param('caseId'), res);
    const { reason } = await body();
    // free text is a row first; the workflow gets its id
    const isNews = reason && mayDo(view.state, 'recall', instant(now()));
    const textId = isNews
      ? await writeText(database, view.id, { kind: 'recall_reason', body: reason })
      : null;
    return execute(view, 'recall', { textId }, res);
  });

  add(described.archiveCase, async ({ param, res, body }) => {
    const view = await read(param('caseId'), res);
    await body();
    return execute(view, 'archive', {}, res);
  });

  add(described.resendLink, async (call) => {
    const view = await read(call.param('caseId'), call.res);
    return idempotency.once(call, described.resendLink, ({ channel }) =>
      resend(view, channel ?? null, call.res),
    );
  });

  const resend = async (view: CaseView, channel: Channel | null, res: Response) => {
    if (channel && !view.state.reach[channel]) {
      const fault = {
        field: 'channel',
        code: 'no_address',
        message: `is a channel for which the case has no address. Add one with PATCH, or leave channel out.`,
      };
      throw validationFailed([fault]);
    }
    const turn = await takeQuota(database, { caseId: view.id, kind: 'resend', perDay: RESENDS_A_DAY });
    if (!turn.isGranted) {
      const text = `The link may be sent again ${RESENDS_A_DAY} times in 24 hours. Please wait until \`Retry-After\` is over.`;
      throw new ApiError('CASE_LIMIT_EXCEEDED', text, {}, turn.retryAfter);
    }
    try {
      return await execute(view, 'resendLink', { channel }, res);
    } catch (error) {
      // where nobody knows, it may have been sent
      if (!(error instanceof ApiError && error.code === 'OUTCOME_UNKNOWN'))
        await returnQuota(database, turn.id);
      throw error;
    }
  };
}
