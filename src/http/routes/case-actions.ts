import type { Response } from 'express';
import type { Channel } from '../../domain/case-state.ts';
import { RESENDS_A_DAY } from '../../domain/daily-limits.ts';
import { instant } from '../../domain/instant.ts';
import { mayDo } from '../../domain/permit.ts';
import { giveTurnBack, takeTurn } from '../../postgres/case-turns.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import { writeText } from '../../postgres/texts.ts';
import { archive, recall, resendLink, type Ask } from '../../../workflows/contract.ts';
import { act, type Wished } from '../act.ts';
import { afterwards } from '../afterwards.ts';
import { ApiError, refused, validationFailed } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Add } from '../operation.ts';
import * as described from '../operations/cases.ts';
import { forPartners, partnersCase } from '../partners-case.ts';

/** What a partner does to one case: contract §1. */
export function caseActions(add: Add, deps: Dependencies): void {
  const { database, idempotency, now } = deps;
  const { read, show } = partnersCase(deps);

  const grant = async <A extends Ask>(view: CaseView, wished: Omit<Wished<A>, 'actor'>, res: Response) => {
    const refusal = await act(deps, view, { ...wished, actor: 'partner' });
    if (refusal) throw refused(refusal, forPartners);
    return show(await afterwards(() => read(view.id, res)));
  };

  add(described.recallCase, async ({ param, res, body }) => {
    const view = await read(param('caseId'), res);
    const { reason } = await body();
    // free text is a row first; the workflow gets its id
    const isNews = reason && mayDo(view.state, 'recall', instant(now()));
    const textId = isNews
      ? await writeText(database, view.id, { kind: 'recall_reason', body: reason })
      : null;
    return grant(view, { update: recall, wish: { textId }, action: 'recall' }, res);
  });

  add(described.archiveCase, async ({ param, res, body }) => {
    const view = await read(param('caseId'), res);
    await body();
    return grant(view, { update: archive, wish: {}, action: 'archive' }, res);
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
    const turn = await takeTurn(database, { caseId: view.id, kind: 'resend', perDay: RESENDS_A_DAY });
    if (!turn.isFree) {
      const text = `The link may be sent again ${RESENDS_A_DAY} times in 24 hours. Please wait until \`Retry-After\` is over.`;
      throw new ApiError('CASE_LIMIT_EXCEEDED', text, {}, turn.retryAfter);
    }
    try {
      return await grant(view, { update: resendLink, wish: { channel }, action: 'resendLink' }, res);
    } catch (error) {
      // where nobody knows, it may have been sent
      if (!(error instanceof ApiError && error.code === 'OUTCOME_UNKNOWN'))
        await giveTurnBack(database, turn.id);
      throw error;
    }
  };
}
