import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import { CHANNELS } from '../../domain/case-state.ts';
import { instant } from '../../domain/instant.ts';
import { mayDo } from '../../domain/permit.ts';
import { caseEvents, countEvents, type EventRow } from '../../postgres/events.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import { writeText } from '../../postgres/texts.ts';
import { archive, recall, resendLink, type Ask } from '../../../workflows/contract.ts';
import { act, type Wished } from '../act.ts';
import { ApiError, refused } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import { eventCursorOf, eventsInput } from '../inputs/list-events.ts';
import { text } from '../inputs/case-fields.ts';
import { parse, readBody } from '../json-body.ts';
import { forPartners, partnersCase } from '../partners-case.ts';

const recallInput = z.strictObject({ reason: text(1_000).nullish() });
const resendInput = z.strictObject({ channel: z.enum(CHANNELS, 'has to be email or sms.').nullish() });
const noInput = z.strictObject({});

/** How often a case's link may be sent again in a day (contract §1). */
const RESENDS_A_DAY = 5;

interface Params {
  readonly caseId: string;
}

/** What a partner does to one case, and its timeline: contract §1. */
export function caseActions(deps: Dependencies): Router {
  const { database, now } = deps;
  const router = Router({ mergeParams: true });
  const { read, show } = partnersCase(deps);

  const grant = async <A extends Ask>(view: CaseView, wished: Omit<Wished<A>, 'actor'>, res: Response) => {
    const refusal = await act(deps, view, { ...wished, actor: 'partner' });
    if (refusal) throw refused(refusal, forPartners);
    res.json(show(await read(view.id, res)));
  };

  router.post('/recall', async (req: Request<Params>, res) => {
    const view = await read(req.params.caseId, res);
    const { reason } = await readBody(req, res, recallInput);
    // free text is a row first; the workflow gets its id
    const isNews = reason && mayDo(view.state, 'recall', instant(now()));
    const textId = isNews
      ? await writeText(database, view.id, { kind: 'recall_reason', body: reason })
      : null;
    await grant(view, { update: recall, wish: { textId }, action: 'recall' }, res);
  });

  router.post('/archive', async (req: Request<Params>, res) => {
    const view = await read(req.params.caseId, res);
    await readBody(req, res, noInput);
    await grant(view, { update: archive, wish: {}, action: 'archive' }, res);
  });

  router.post('/notifications', async (req: Request<Params>, res) => {
    const view = await read(req.params.caseId, res);
    const { channel = null } = await readBody(req, res, resendInput);
    if (channel && !view.state.reach[channel]) {
      const fault = {
        field: 'channel',
        code: 'no_address',
        message: `the case has no address for ${channel}.`,
      };
      throw new ApiError('VALIDATION_FAILED', 'Please correct: channel.', { fields: [fault] });
    }
    if ((await countEvents(database, view.id, 'link.resent')) >= RESENDS_A_DAY) {
      throw new ApiError(
        'CASE_LIMIT_EXCEEDED',
        `The link may be sent again ${RESENDS_A_DAY} times a day.`,
        {},
        3600,
      );
    }
    await grant(view, { update: resendLink, wish: { channel }, action: 'resendLink' }, res);
  });

  router.get('/events', async (req: Request<Params>, res) => {
    const view = await read(req.params.caseId, res);
    const { cursor = 0, limit } = parse(eventsInput, req.query);
    const rows = await caseEvents(database, { caseId: view.id, after: cursor, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    res.json({
      data: page.map(eventJson),
      nextCursor: rows.length > limit && last ? eventCursorOf(last.number) : null,
    });
  });

  return router;
}

const eventJson = ({ id, type, case_id, partner_case_id, at, actor, data }: EventRow) => ({
  id,
  type,
  caseId: case_id,
  partnerCaseId: partner_case_id,
  at,
  actor,
  data,
});
