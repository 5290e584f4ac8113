import { type Content, html, type Html } from './html.ts';
import type { CaseContext, PageContext } from './layout.ts';
import { type CaseRoute, pathOf } from './paths.ts';

/** The buttons at the end of a page: no page is a dead end. */
export const buttonRow = (...buttons: readonly Content[]): Html =>
  html`<div class="buttons">${buttons}</div>`;

/** One button of a page is its primary one. */
export type ButtonVariant = 'primary' | 'secondary' | 'tertiary';

/** For what can't be taken back. */
export const DANGER = 'danger';

export const linkButton = (
  href: string,
  label: string,
  weight: ButtonVariant = 'secondary',
  color?: typeof DANGER,
): Html => html`<a class="ds-button" data-variant="${weight}" ${colored(color)} href="${href}">${label}</a>`;

const colored = (color: typeof DANGER | undefined): Content => color && html`data-color="${color}"`;

/** A form of one button, for what changes something: a GET never does (mail scanners visit links). */
export const postButton = (
  { visit, token }: CaseContext,
  route: CaseRoute,
  label: string,
  weight: ButtonVariant,
  hidden?: Content,
  color?: typeof DANGER,
): Html =>
  html`<form method="post" action="${pathOf(route, visit.caseId)}">
    <input type="hidden" name="_token" value="${token}" />
    ${hidden}
    <button class="ds-button" data-variant="${weight}" ${colored(color)}>${label}</button>
  </form>`;

export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

/** What a login says of where it leads: back to the page that asked for it. */
const BACK = 'back';

/** @param back where the customer was when the session ended; the first page when left out */
export const loginButton = (
  context: CaseContext,
  label: string,
  { weight = 'primary', back }: { weight?: ButtonVariant; back?: string | undefined } = {},
): Html => postButton(context, 'login', label, weight, back !== undefined && hiddenField(BACK, back));

/** Said with a login: whoever was logged in is to be forgotten first, at the eID too. */
export const AS_SOMEBODY_ELSE = 'as_somebody_else';

export const otherLoginButton = (context: CaseContext, weight: ButtonVariant): Html =>
  postButton(context, 'login', context.t.loginAgain, weight, hiddenField(AS_SOMEBODY_ELSE, '1'));

export const helpLink = ({ t, visit }: CaseContext, weight: ButtonVariant = 'secondary'): Html =>
  linkButton(pathOf('help', visit.caseId), t.getHelp, weight);

export const callButton = ({ t, support: { phone } }: PageContext, weight: ButtonVariant): Html =>
  linkButton(
    `tel:${phone.replaceAll(' ', '')}`,
    t.callUs({ phone: phone.replaceAll(' ', '\u00a0') }),
    weight,
  );

/** One of several. @param fault what is wrong with it, said before its options */
export const radios = (
  { name, legend, ids = name, chosen }: { name: string; legend: string; ids?: string; chosen: string },
  options: readonly (readonly [value: string, label: string])[],
  fault?: { readonly id: string; readonly text: Html } | null,
): Html =>
  html`<fieldset class="ds-fieldset" ${fault && html`aria-describedby="${fault.id}"`}>
    <legend class="ds-label">${legend}</legend>
    ${fault?.text}
    ${options.map(([value, label]) => {
      const id = `${ids}-${value || 'any'}`;
      return html`<div class="ds-field">
        <input
          class="ds-input"
          type="radio"
          name="${name}"
          id="${id}"
          value="${value}"
          ${value === chosen && html`checked`}
        />
        <label class="ds-label" for="${id}">${label}</label>
      </div>`;
    })}
  </fieldset>`;
