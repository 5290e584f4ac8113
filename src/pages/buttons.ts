import { type Content, html, type Html } from './html.ts';
import type { CaseContext } from './layout.ts';
import { type CaseRoute, pathOf } from './paths.ts';

/** The buttons at the end of a page: no page is a dead end. */
export const buttonRow = (...buttons: readonly Content[]): Html =>
  html`<div class="buttons">${buttons}</div>`;

/** One button of a page is its primary one. */
export type ButtonVariant = 'primary' | 'secondary' | 'tertiary';

export const linkButton = (href: string, label: string, weight: ButtonVariant = 'secondary'): Html =>
  html`<a class="ds-button" data-variant="${weight}" href="${href}">${label}</a>`;

/** A form of one button, for what changes something: a GET never does (mail scanners visit links). */
export const postButton = (
  { visit, token }: CaseContext,
  route: CaseRoute,
  label: string,
  weight: ButtonVariant,
  hidden?: Content,
): Html =>
  html`<form method="post" action="${pathOf(route, visit.caseId)}">
    <input type="hidden" name="_token" value="${token}" />
    ${hidden}
    <button class="ds-button" data-variant="${weight}">${label}</button>
  </form>`;

export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

export const loginButton = (context: CaseContext, label: string, weight: ButtonVariant = 'primary'): Html =>
  postButton(context, 'login', label, weight);

/** Said with a login: whoever was logged in is to be forgotten first, at the eID too. */
export const AS_SOMEBODY_ELSE = 'as_somebody_else';

export const otherLoginButton = (context: CaseContext, weight: ButtonVariant): Html =>
  postButton(context, 'login', context.t.loginAgain, weight, hiddenField(AS_SOMEBODY_ELSE, '1'));

export const helpLink = ({ t, visit }: CaseContext, weight: ButtonVariant = 'secondary'): Html =>
  linkButton(pathOf('help', visit.caseId), t.getHelp, weight);
