import { randomUUID } from 'node:crypto';
import { deadlineOn } from '../../calendar/deadline.ts';
import type { CaseId, PartnerId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import { openCase } from '../../domain/open-case.ts';
import type { CaseRow } from '../../postgres/case-row.ts';
import { createCase, type NewCase } from '../../postgres/create-case.ts';
import { listCases } from '../../postgres/read-cases.ts';
import { ApiError } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import type { CreateCaseInput } from '../inputs/create-case.ts';
import { caseCursor } from '../inputs/list-cases.ts';
import { requireOwn } from '../inputs/page.ts';
import type { Add } from '../operation.ts';
import * as described from '../operations/cases.ts';
import { partnerOf } from '../partner-key.ts';
import { caseJson } from '../case-json.ts';
import { partnersCase } from '../partners-case.ts';

/** What nobody has told of a case that is new. */
const UNTOLD = { booking: null, notifications: [], recall_reason: null, verifications: {} };

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
        caseJson({ ...created, ...UNTOLD }, settings.publicUrl, instant(at));
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
    requireOwn(cursor, partnerId);
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
