import { Router } from 'express';
import { isOpen } from '../../domain/views.ts';
import { helpReceivedPage } from '../../web/pages/help-received.ts';
import { HELP_MESSAGE_LETTERS, helpPage, type HelpFault } from '../../web/pages/help.ts';
import { pathOf, ROUTES } from '../../web/paths.ts';
import { createCustomerDesk } from '../customer/desk.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RequireToken } from './pages.ts';
import type { Visits } from './visit.ts';

/** Asking for help, without a login too: who can not log in needs it most. */
export function helpPages(deps: Dependencies, visits: Visits, requireToken: RequireToken): Router {
  const desk = createCustomerDesk(deps);
  const router = Router();

  router.get(ROUTES.help, async (req, res) => {
    const { view, context } = await visits.begin(req, res);
    if (req.query['sent'] === '1')
      visits.show(res, helpReceivedPage(context, { canBook: isOpen(view.state) }));
    else visits.show(res, helpPage(context, { message: '', preferredContact: null, faults: [] }));
  });

  router.post(ROUTES.help, async (req, res) => {
    const { view, context } = await visits.begin(req, res);
    requireToken(req.headers.cookie, req.body);
    const form = req.body as { message?: unknown; preferredContact?: unknown };
    const message = typeof form.message === 'string' ? form.message.replaceAll('\0', '').trim() : '';
    const contact = form.preferredContact;
    const preferredContact = contact === 'phone' || contact === 'email' ? contact : null;
    const faults: HelpFault[] = [];
    if (message.length > HELP_MESSAGE_LETTERS) faults.push('message_too_long');
    if (contact !== undefined && contact !== '' && preferredContact === null) faults.push('contact_unknown');
    if (faults.length > 0) {
      visits.show(res, helpPage(context, { message, preferredContact, faults }), 400);
      return;
    }
    await desk.requestAssistance(view, { message: message === '' ? null : message, preferredContact });
    res.redirect(303, `${pathOf('help', view.id)}?sent=1`);
  });

  return router;
}
