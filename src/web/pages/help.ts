import { HELP_MESSAGE_LETTERS } from '../../domain/daily-limits.ts';
import { html, type Html } from '../html.ts';
import { layout } from '../layout.ts';
import type { CaseContext } from '../page-context.ts';
import { pathOf } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import type { Strings } from '../strings/nb.ts';
import { hiddenField, linkButton, waysOn } from '../ways-on.ts';

export interface Help {
  /** What was typed before, so that nothing has to be typed again. */
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
  const { help: t, back } = STRINGS[context.language];
  const { visit } = context;
  return layout(context, {
    title: t.title,
    hasFaults: help.faults.length > 0,
    main: html`${help.faults.length > 0 && errorSummary(help, t)}
      <p>${t.lead} ${visit.customer === null && t.noLogin}</p>
      <p>${t.who(visit.partnerName)}</p>
      <form method="post" action="${pathOf('help', visit.caseId)}" novalidate>
        ${hiddenField('_token', context.token)} ${hiddenField('formId', help.formId)} ${messageField(help, t)}
        ${contactChoice(help, t)}
        ${waysOn(
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
    <p id="message-hint" data-field="description">${t.hint(HELP_MESSAGE_LETTERS)}</p>
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

const faultText = (kind: HelpFault, { message }: Help, t: Strings['help']): string =>
  t.faults[kind](HELP_MESSAGE_LETTERS, message.length - HELP_MESSAGE_LETTERS);

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
