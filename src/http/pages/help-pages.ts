import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { isOpen } from '../../domain/views.ts';
import { helpReceivedPage } from '../../web/pages/help-received.ts';
import { HELP_MESSAGE_LETTERS } from '../../domain/daily-limits.ts';
import { helpPage, type HelpFault } from '../../web/pages/help.ts';
import { statusPage } from '../../web/pages/status.ts';
import { pathOf, ROUTES } from '../../web/paths.ts';
import { ApiError } from '../api-error.ts';
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
    const empty = { message: '', preferredContact: null, faults: [], formId: randomUUID() };
    if (req.query['sent'] === '1')
      visits.show(res, helpReceivedPage(context, { canBook: isOpen(view.state) }));
    else visits.show(res, helpPage(context, empty));
  });

  router.post(ROUTES.help, async (req, res) => {
    const { view, isOwner, context } = await visits.begin(req, res);
    requireToken(req.headers.cookie, req.body);
    const { message, preferredContact, formId, faults } = read(req.body as Record<string, unknown>);
    if (faults.length > 0) {
      const here = pathOf('help', view.id);
      visits.show(res, helpPage({ ...context, here }, { message, preferredContact, faults, formId }), 400);
      return;
    }
    try {
      await desk.requestAssistance(view, {
        message: message === '' ? null : message,
        preferredContact,
        formId,
      });
      res.redirect(303, `${pathOf('help', view.id)}?sent=1`);
    } catch (error) {
      // a stranger is not told how the case stands, by a refusal neither
      if (!(error instanceof ApiError) || error.code !== 'ACTION_NOT_ALLOWED' || isOwner) throw error;
      visits.show(res, statusPage(context, 'help_not_possible'), 400);
    }
  });

  return router;
}

const FORM_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

function read(form: Readonly<Record<string, unknown>>) {
  const text = (name: string) => (typeof form[name] === 'string' ? form[name] : '');
  // a form's lines end in two characters, of which nobody typed the first
  const message = text('message').replaceAll('\0', '').replaceAll('\r\n', '\n').trim();
  const contact = text('preferredContact');
  const preferredContact = contact === 'phone' || contact === 'email' ? contact : null;
  const faults: HelpFault[] = [];
  if (message.length > HELP_MESSAGE_LETTERS) faults.push('message_too_long');
  if (contact !== '' && preferredContact === null) faults.push('contact_unknown');
  const formId = FORM_ID.test(text('formId')) ? text('formId') : randomUUID();
  return { message, preferredContact, faults, formId } as const;
}
