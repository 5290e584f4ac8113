import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { isOpen } from '../domain/next-steps.ts';
import { HELP_MESSAGE_LETTERS } from '../domain/limits.ts';
import { createCustomerService } from '../http/booking/customer-service.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { ApiError } from '../http/errors.ts';
import { buttonRow, hiddenField, linkButton } from './buttons.ts';
import type { Form } from './forms.ts';
import { html, type Html } from './html.ts';
import { type CaseContext, layout } from './layout.ts';
import { pathOf, ROUTES } from './paths.ts';
import { statusPage } from './status.ts';
import type { Strings } from '../strings/catalogue.ts';
import type { Visits } from './visits.ts';

/** Asking for help, without a login too: who can not log in needs it most. */
export function helpRoutes(deps: Dependencies, visits: Visits): Router {
  const service = createCustomerService(deps);
  const router = Router();

  router.get(ROUTES.help, async (req, res) => {
    const { view, context } = await visits.open(req, res);
    const empty = { message: '', preferredContact: null, faults: [], formId: randomUUID() };
    if (req.query['sent'] === '1') visits.show(res, helpReceivedPage(context, isOpen(view.state)));
    else visits.show(res, helpPage(context, empty));
  });

  router.post(ROUTES.help, async (req, res) => {
    await deps.limits.messagePages(req, res);
    const { view, isOwner, context } = await visits.open(req, res);
    const form = visits.readForm(req);
    const { message, preferredContact, formId, faults } = readHelpForm(form);
    if (faults.length > 0) {
      const here = pathOf('help', view.id);
      visits.show(res, helpPage({ ...context, here }, { message, preferredContact, faults, formId }), 400);
      return;
    }
    try {
      await service.requestAssistance(view, {
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

function readHelpForm(form: Form) {
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

export interface Help {
  /** What was typed before, so that nothing must be typed again. */
  readonly message: string;
  readonly preferredContact: 'phone' | 'email' | null;
  readonly faults: readonly HelpFault[];
  /** Fresh for each page, so that the same form sent twice is one request. */
  readonly formId: string;
}

export type HelpFault = keyof Strings['help']['faults'];

const FIELD_OF: Readonly<Record<HelpFault, string>> = {
  message_too_long: 'message',
  contact_unknown: 'contact-phone',
};

export function helpPage(context: CaseContext, help: Help): Html {
  const { help: t, back } = context.t;
  const { visit } = context;
  return layout(context, {
    title: t.title,
    hasFaults: help.faults.length > 0,
    main: html`${help.faults.length > 0 && errorSummary(help, t)}
      <p>${t.lead} ${visit.customer === null && t.noLogin}</p>
      <p>${t.who({ partner: visit.partnerName })}</p>
      <form method="post" action="${pathOf('help', visit.caseId)}" novalidate>
        ${hiddenField('_token', context.token)} ${hiddenField('formId', help.formId)} ${messageField(help, t)}
        ${contactChoice(help, t)}
        ${buttonRow(
          html`<button class="ds-button" data-variant="primary">${t.send}</button>`,
          linkButton(pathOf('welcome', visit.caseId), back),
        )}
      </form>`,
  });
}

function messageField(help: Help, t: Strings['help']): Html {
  const isWrong = help.faults.includes('message_too_long');
  return html`<div class="ds-field">
    <label class="ds-label" for="message">${t.message}</label>
    <p id="message-hint" data-field="description">${t.hint({ letters: HELP_MESSAGE_LETTERS })}</p>
    ${isWrong && fault('message-fault', faultText('message_too_long', help, t))}
    <textarea
      class="ds-input"
      id="message"
      name="message"
      rows="6"
      aria-describedby="message-hint${isWrong && ' message-fault'}"
      ${isWrong && html`aria-invalid="true"`}
    >
${help.message}</textarea>
  </div>`;
}

function contactChoice(help: Help, t: Strings['help']): Html {
  const isWrong = help.faults.includes('contact_unknown');
  return html`<fieldset class="ds-fieldset" ${isWrong && html`aria-describedby="contact-fault"`}>
    <legend class="ds-label">${t.contact}</legend>
    ${isWrong && fault('contact-fault', faultText('contact_unknown', help, t))}
    ${(['phone', 'email', 'either'] as const).map(
      (way) =>
        html`<div class="ds-field">
          <input
            class="ds-input"
            type="radio"
            name="preferredContact"
            id="contact-${way}"
            value="${way === 'either' ? '' : way}"
            ${(help.preferredContact ?? 'either') === way && html`checked`}
          />
          <label class="ds-label" for="contact-${way}">${t[way]}</label>
        </div>`,
    )}
  </fieldset>`;
}

function faultText(kind: HelpFault, { message }: Help, { faults }: Strings['help']): string {
  const letters = HELP_MESSAGE_LETTERS;
  return kind === 'message_too_long'
    ? faults.message_too_long({ letters, over: message.length - letters })
    : faults[kind];
}

const fault = (id: string, text: string): Html =>
  html`<p class="ds-validation-message" data-color="danger" id="${id}">${text}</p>`;

/** What is wrong, all of it at once, each with a link to where it is mended; the focus is here. */
const errorSummary = (help: Help, t: Strings['help']): Html =>
  html`<div class="ds-error-summary" role="alert" tabindex="-1" autofocus id="faults">
    <h2 class="ds-heading" data-size="xs">${t.problem}</h2>
    <ul class="ds-list">
      ${help.faults.map(
        (kind) => html`<li><a class="ds-link" href="#${FIELD_OF[kind]}">${faultText(kind, help, t)}</a></li>`,
      )}
    </ul>
  </div>`;

/** @param canBook whether the case can be booked now, which whoever has the link may know */
export function helpReceivedPage(context: CaseContext, canBook: boolean): Html {
  const { caseId } = context.visit;
  const { helpReceived: t, startAgain } = context.t;
  return layout(context, {
    title: t.title,
    news: { color: 'success', text: html`<p>${t.receipt}</p>` },
    main: html`<h2 class="ds-heading" data-size="xs">${t.next}</h2>
      <p>${t.lead}</p>
      ${canBook && html`<p>${t.canBook}</p>`}
      ${buttonRow(linkButton(pathOf('welcome', caseId), canBook ? t.book : startAgain, 'primary'))}`,
  });
}
