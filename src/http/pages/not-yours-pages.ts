import { Router } from 'express';
import { disownContact } from '../../../workflows/contract.ts';
import { boundPerson } from '../../postgres/persons.ts';
import { notYoursDonePage, notYoursPage } from '../../web/pages/not-yours.ts';
import { statusPage } from '../../web/pages/status.ts';
import { pathOf, ROUTES } from '../../web/paths.ts';
import { temporarilyUnavailable } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RequireToken } from './pages.ts';
import type { Visits } from './visit.ts';

/** For whoever got a message that was for somebody else. It is answered the same in every status of the case. */
export function notYoursPages(
  { database, door }: Dependencies,
  visits: Visits,
  requireToken: RequireToken,
): Router {
  const router = Router();

  router.get(ROUTES.notYours, async (req, res) => {
    const { context, isOwner } = await visits.begin(req, res);
    const page = req.query['done'] === '1' ? notYoursDonePage : notYoursPage;
    visits.show(res, isOwner ? statusPage(context, 'yours') : page(context));
  });

  router.post(ROUTES.notYours, async (req, res) => {
    const { view, isOwner } = await visits.begin(req, res);
    requireToken(req.headers.cookie, req.body);
    const isBound = (await boundPerson(database, view.id)) !== null;
    // a login has shown that the link came to the right one; whoever else has it, too, is not to silence them
    const told = isBound ? 'told' : await door.tell(view, disownContact, { actor: 'customer' });
    if (told === 'unreachable') throw temporarilyUnavailable();
    res.redirect(303, pathOf('notYours', view.id) + (isOwner ? '' : '?done=1'));
  });

  return router;
}
