import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { deadlineOn } from '../../calendar/deadline.ts';
import type { CaseId, PartnerId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import { openCase } from '../../domain/open-case.ts';
import { createCase, type NewCase } from '../../postgres/create-case.ts';
import { listCases } from '../../postgres/read-cases.ts';
import { ApiError } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import { createCaseInput, type CreateCaseInput } from '../inputs/create-case.ts';
import { cursorOf, listCasesInput } from '../inputs/list-cases.ts';
import { parse, readBody } from '../json-body.ts';
import { partnerOf } from '../partner-key.ts';
import { caseJson } from '../case-json.ts';
import { partnersCase } from '../partners-case.ts';
import { changeCase } from './change-case.ts';
import { caseActions } from './case-actions.ts';

/** Create, read, list: contract §1. What acts on a case is in the files beside. */
export function caseRoutes(deps: Dependencies): Router {
  const { database, settings, treatmentTypes, now } = deps;
  const router = Router();
  const { read, show } = partnersCase(deps);

  router.post('/', async (req, res) => {
    const at = now();
    const offered = await treatmentTypes();
    const codes = offered.map(({ code }) => code);
    const input = await readBody(req, res, createCaseInput(at, codes));
    const id = randomUUID() as CaseId;
    const { archiveAfterDays } = settings;
    const outcome = await createCase(
      database,
      newCase(input, { id, partnerId: partnerOf(res), at, archiveAfterDays }),
    );
    if ('duplicateOf' in outcome) {
      const text = 'A live case has this partnerCaseId and treatmentType already.';
      throw new ApiError('DUPLICATE_PARTNER_CASE_ID', text, { caseId: outcome.duplicateOf });
    }
    const untold = { booking: null, notifications: [], recall_reason: null };
    const body = caseJson({ ...outcome.created, ...untold }, settings.publicUrl, instant(at));
    res.status(201).location(`/api/v1/cases/${id}`).json(body);
  });

  router.get('/', async (req, res) => {
    const { cursor, limit, status, ...filter } = parse(listCasesInput, req.query);
    // one more than asked for tells whether there is a next page
    const rows = await listCases(database, {
      partnerId: partnerOf(res),
      filter: { ...filter, statuses: status },
      limit: limit + 1,
      after: cursor ?? null,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const at = instant(now());
    res.json({
      data: page.map((view) => caseJson(view, settings.publicUrl, at)),
      nextCursor: rows.length > limit && last ? cursorOf(last) : null,
    });
  });

  router.get('/:caseId', async (req, res) => {
    res.json(show(await read(req.params.caseId, res)));
  });

  router.patch('/:caseId', changeCase(deps));
  router.use('/:caseId', caseActions(deps));
  return router;
}

function newCase(
  input: CreateCaseInput,
  context: { id: CaseId; partnerId: PartnerId; at: Date; archiveAfterDays: number },
): NewCase {
  const { id, partnerId, at, archiveAfterDays } = context;
  const { state } = openCase({
    deadline: deadlineOn(input.bookingDeadline),
    archiveAfterDays,
    reach: { email: Boolean(input.patientEmail), sms: input.patientPhone?.takesSms ?? false },
  });
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
