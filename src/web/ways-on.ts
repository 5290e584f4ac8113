import { html, type Content, type Html } from './html.ts';
import type { CaseContext } from './page-context.ts';
import { pathOf, type CaseRoute } from './paths.ts';
import { STRINGS } from './strings/languages.ts';

/** The buttons at the end of a page: no page is a dead end. */
export const waysOn = (...ways: readonly Content[]): Html => html`<div class="ways-on">${ways}</div>`;

/** One button of a page is its primary one. */
export type Weight = 'primary' | 'secondary' | 'tertiary';

export const linkButton = (href: string, label: string, weight: Weight = 'secondary'): Html =>
  html`<a class="ds-button" data-variant="${weight}" href="${href}">${label}</a>`;

/** A form of one button, for what changes something: a GET never does (mail scanners visit links). */
export const postButton = (
  { visit, token }: CaseContext,
  route: CaseRoute,
  label: string,
  weight: Weight,
  hidden?: Content,
): Html =>
  html`<form method="post" action="${pathOf(route, visit.caseId)}">
    <input type="hidden" name="_token" value="${token}" />
    ${hidden}
    <button class="ds-button" data-variant="${weight}">${label}</button>
  </form>`;

export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

export const loginButton = (context: CaseContext, label: string, weight: Weight = 'primary'): Html =>
  postButton(context, 'login', label, weight);

export const helpLink = ({ language, visit }: CaseContext, weight: Weight = 'secondary'): Html =>
  linkButton(pathOf('help', visit.caseId), STRINGS[language].getHelp, weight);
