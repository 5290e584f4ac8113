import { randomUUID } from 'node:crypto';
import { dateAt } from '../../calendar/dates.ts';
import { changeCase, type CaseCommandResult, recallCase, resendLink } from '../../cases/commands.ts';
import { caseTime } from '../../domain/case-state.ts';
import type { CaseId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import type { CaseRow } from '../../postgres/case-row.ts';
import { type CaseView, listCases } from '../../postgres/cases.ts';
import { createCase } from '../../postgres/create-case.ts';
import { afterCommand, stateOrThrow } from '../command-result.ts';
import type { Dependencies } from '../dependencies.ts';
import { ApiError, validationFailed } from '../errors.ts';
import { KeyTaken } from '../idempotency.ts';
import { pageOf, requireOwnCursor } from '../pagination.ts';
import type { Add } from '../route.ts';
import { caseJson } from './case-json.ts';
import { caseCursors, newCase } from './inputs.ts';
import * as described from './operations.ts';
import { forPartnerOf, partnersCase } from './partners-case.ts';

/** What nobody has told of a case that is new. */
const NOTHING_YET = {
  booking: null,
  notifications: [],
  recall_reason: null,
  is_bound: false,
  verifications: {},
};

export function caseRoutes(add: Add, deps: Dependencies): void {
  const { database, asPartner, settings, now } = deps;
  const { show } = partnersCase(deps);

  add(described.createCase, async ({ partnerId, author, input, request, res, noteDone }) => {
    const at = now();
    const id = randomUUID() as CaseId;
    const location = `/api/v1/cases/${id}`;
    const bodyOf = (created: CaseRow) =>
      caseJson({ ...created, ...NOTHING_YET }, settings.publicUrl, instant(at));
    const outcome = await createCase(
      database,
      newCase(input, { id, partnerId, author, at, archiveAfterDays: settings.archiveAfterDays }),
      request && { request, answerOf: (created) => ({ body: bodyOf(created), location }) },
      () => noteDone({ id }),
    );
    if ('claim' in outcome) return new KeyTaken(outcome);
    if ('duplicateOf' in outcome) {
      throw new ApiError('DUPLICATE_PARTNER_CASE_ID', undefined, { caseId: outcome.duplicateOf });
    }
    res.location(location);
    return bodyOf(outcome.created);
  });

  add(described.listCases, async ({ partnerId, query }) => {
    const { cursor, limit, status, ...filter } = query;
    requireOwnCursor(cursor, partnerId);
    // one more than asked for tells whether there is a next page
    const rows = await listCases(asPartner(partnerId), {
      partnerId,
      filter: { ...filter, statuses: status },
      limit: limit + 1,
      after: cursor ?? null,
    });
    return pageOf(rows, limit, {
      json: show,
      cursor: ({ created_at, id }) => caseCursors.encode(partnerId, created_at, id),
    });
  });

  add(described.getCase, ({ view }) => Promise.resolve(show(view)));
}

/** What a partner does to one case. */
export function caseActionRoutes(add: Add, deps: Dependencies): void {
  const { caseClient, now } = deps;
  const { read, show } = partnersCase(deps);

  /** The case as its readers see it after a command. */
  const after = async (view: CaseView, result: CaseCommandResult) => {
    stateOrThrow(result, forPartnerOf(view));
    return show(await afterCommand(() => read(view.id, view.partner_id)));
  };

  add(described.changeCase, async ({ view, author, input }) => {
    const { bookingDeadline, patientEmail, patientPhone, patientFirstName, patientLastName } = input;
    const today = dateAt(caseTime(view.state, now()));
    if (bookingDeadline !== undefined && bookingDeadline < today) {
      const message = `must not be in the past: by the case’s clock, today is ${today}.`;
      throw validationFailed([{ field: 'bookingDeadline', code: 'in_the_past', message }]);
    }
    const changes = {
      bookingDeadline,
      email: patientEmail,
      phone: patientPhone,
      firstName: patientFirstName,
      lastName: patientLastName,
    };
    return after(view, await changeCase(deps, view, { ...changes, author }));
  });

  add(described.recallCase, async ({ view, author, input: { reason = null } }) =>
    after(view, await recallCase(deps, view, { reason, author })),
  );

  add(described.archiveCase, async ({ view, author }) =>
    after(view, await caseClient.execute(view, 'archive', {}, author)),
  );

  add(described.resendLink, async ({ view, author, input: { channel = null } }) =>
    after(view, await resendLink(deps, view, { channel, author })),
  );
}
