import { html, type Content, type Html } from '../html.ts';
import { layout, type CaseContext } from '../layout.ts';
import { pathOf } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import type { Strings } from '../strings/nb.ts';
import { linkButton, waysOn } from '../ways-on.ts';

export const HELP_MESSAGE_LETTERS = 2000;

export interface Help {
  /** What was typed before, so that nothing has to be typed again. */
  readonly message: string;
  readonly preferredContact: 'phone' | 'email' | null;
  readonly faults: readonly HelpFault[];
}

export type HelpFault = keyof Strings['help']['faults'];

const FIELD_OF: Readonly<Record<HelpFault, string>> = {
  message_too_long: 'message',
  contact_unknown: 'contact-phone',
};

export function helpPage(context: CaseContext, help: Help): Html {
  const { help: t, back } = STRINGS[context.language];
  const { visit } = context;
  const { message, faults } = help;
  const tooLong = faults.includes('message_too_long');
  return layout(context, {
    title: t.title,
    main: html`${faults.length > 0 && errorSummary(faults, t)}
      <p>${t.lead} <strong>${t.private(visit.partnerName)}</strong></p>
      <form method="post" action="${pathOf('help', visit.caseId)}" novalidate>
        <input type="hidden" name="_token" value="${visit.token}" />
        <div class="ds-field">
          <label class="ds-label" for="message">${t.message}</label>
          <p id="message-hint" data-field="description">${t.hint(HELP_MESSAGE_LETTERS)}</p>
          <textarea
            class="ds-input"
            id="message"
            name="message"
            rows="6"
            aria-describedby="message-hint${tooLong && ' message-fault'}"
            ${tooLong && html`aria-invalid="true"`}
          >
${message}</textarea>
          ${
            tooLong &&
            html`<p class="ds-validation-message" data-color="danger" id="message-fault">
              ${t.faults.message_too_long(HELP_MESSAGE_LETTERS)}
            </p>`
          }
        </div>
        ${contactChoice(help, t)}
        ${waysOn(
          html`<button class="ds-button" data-variant="primary">${t.send}</button>`,
          linkButton(pathOf('welcome', visit.caseId), back),
        )}
      </form>`,
  });
}

function contactChoice({ preferredContact, faults }: Help, t: Strings['help']): Html {
  return html`<fieldset class="ds-fieldset">
    <legend>${t.contact}</legend>
    ${(['phone', 'email'] as const).map(
      (way) =>
        html`<div class="ds-field">
          <input
            class="ds-input"
            type="radio"
            name="preferredContact"
            id="contact-${way}"
            value="${way}"
            ${preferredContact === way && html`checked`}
          />
          <label class="ds-label" for="contact-${way}">${t[way]}</label>
        </div>`,
    )}
    ${
      faults.includes('contact_unknown') &&
      html`<p class="ds-validation-message" data-color="danger">${t.faults.contact_unknown()}</p>`
    }
  </fieldset>`;
}

const errorSummary = (faults: readonly HelpFault[], t: Strings['help']): Content =>
  html`<div class="ds-error-summary" role="alert" tabindex="-1" id="faults">
    <h2 class="ds-heading">${t.problem}</h2>
    <ul class="ds-list">
      ${faults.map(
        (fault) =>
          html`<li>
            <a class="ds-link" href="#${FIELD_OF[fault]}">${t.faults[fault](HELP_MESSAGE_LETTERS)}</a>
          </li>`,
      )}
    </ul>
  </div>`;
