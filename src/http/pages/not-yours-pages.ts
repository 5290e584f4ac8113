import { Router } from 'express';
import { disownContact } from '../../../workflows/contract.ts';
import { notYoursDonePage, notYoursPage } from '../../web/pages/not-yours.ts';
import { pathOf, ROUTES } from '../../web/paths.ts';
import { temporarilyUnavailable } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RequireToken } from './pages.ts';
import type { Visits } from './visit.ts';

/** For whoever got a message that was for somebody else. It is answered the same in every status of the case. */
export function notYoursPages({ door }: Dependencies, visits: Visits, requireToken: RequireToken): Router {
  const router = Router();

  router.get(ROUTES.notYours, async (req, res) => {
    const { context } = await visits.begin(req, res);
    visits.show(res, req.query['done'] === '1' ? notYoursDonePage(context) : notYoursPage(context));
  });

  router.post(ROUTES.notYours, async (req, res) => {
    const { view } = await visits.begin(req, res);
    requireToken(req.headers.cookie, req.body);
    const told = await door.tell(view, disownContact, { actor: 'customer' });
    if (told === 'unreachable') throw temporarilyUnavailable();
    res.redirect(303, `${pathOf('notYours', view.id)}?done=1`);
  });

  return router;
}
