import type { Actor } from '../../identity/operators/actor.ts';
import type { Environment } from '../../identity/secrets.ts';
import { assetPath } from '../../pages/assets.ts';
import { type Content, html, type Html } from '../../pages/html.ts';
import { DESCRIPTIONS, type OperationName } from '../descriptions/index.ts';
import type { Way } from '../view.ts';
import { type Description, pathOf } from '../description.ts';

/** Who looks at a page, and in which environment; null without a login. */
export interface PageContext {
  readonly visit: { readonly actor: Actor; readonly formToken: string } | null;
  readonly environment: Environment;
}

export interface PageBody {
  readonly title: string;
  readonly main: Content;
  /** News that the page is about: said first, and the focus is on it. */
  readonly news?: { readonly color: 'success' | 'info' | 'warning' | 'danger'; readonly text: Content };
}

/** Where an operation stands among the pages; the work list is the first of all. */
export const pagePath = (name: OperationName): string =>
  name === 'attention' ? '/' : `/do${pathOf({ name })}`;

/** With what is known of its input. */
export function wayPath({ name, input }: Way): string {
  const pairs = Object.entries(input)
    .filter(([, value]) => value !== undefined && value !== null)
    .flatMap(([field, value]) => [value].flat().map((one): [string, string] => [field, String(one)]));
  return pairs.length > 0 ? `${pagePath(name)}?${new URLSearchParams(pairs).toString()}` : pagePath(name);
}

export function describedBy(name: OperationName): Description<OperationName> {
  const found = DESCRIPTIONS.find((description) => description.name === name);
  if (!found) throw new Error(`no operation ${name}`);
  return found;
}

/** What leads to it is called, and its page. */
export function wayTitle({ name, input }: Way): string {
  if (name === 'case show' && input['reveal']) return 'Show who it is';
  if (name === 'attention' && input['provider']) return 'What needs somebody';
  if (name === 'provider show' && input['write']) return 'Check it by holding a time';
  if (name === 'provider show' && input['check']) return 'Check its booking system';
  return describedBy(name).title;
}

/** Of words as programs write them: `overlapHours`, `hand-back`. */
export const sentence = (text: string): string => {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]/g, ' ')
    .toLowerCase();
  return capitalised(words);
};

/** `--overlap-hours`, as the command line calls a field, by what it is called here. */
export const optionsInWords = (text: string): string =>
  text.replace(/(?<![\w-])--([a-z][a-z-]*)/g, (_, option: string) => `“${sentence(option)}”`);

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether one of the roles lets somebody do it. @param input whether it is one that takes a role of its own */
export const mayDo = ({ visit }: PageContext, name: OperationName, input: Way['input'] = {}): boolean => {
  const { roles, roleWith } = describedBy(name);
  const needed = roleWith && input[roleWith.field] ? [roleWith.role] : roles;
  return visit !== null && needed.some((role) => visit.actor.roles.includes(role));
};

const PLACES = [
  ['attention', 'Work list'],
  ['case list', 'Cases'],
  ['provider list', 'Clinics'],
  ['partner list', 'Partners'],
  ['treatment list', 'Treatments'],
  ['grant', 'To grant'],
  ['log', 'Log'],
] as const satisfies readonly (readonly [OperationName, string])[];

/** Everything that one can do, by what it is about. */
export const ALL_PATH = '/operations';

export function layout(context: PageContext, { title, main, news }: PageBody): Html {
  const { visit, environment } = context;
  return html`<!doctype html>
    <html lang="en" data-color-scheme="auto" data-size="sm">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title} – back office, ${environment}</title>
        <link rel="icon" type="image/svg+xml" href="${assetPath('icon.svg')}" />
        <link rel="stylesheet" href="${assetPath('pages.css')}" />
        <link rel="stylesheet" href="${assetPath('office.css')}" />
      </head>
      <body class="office">
        <a class="ds-skip-link" href="#content">Skip to the content</a>
        <header class="top">
          <div class="frame">
            <p class="service">
              <strong>Back office</strong> <span class="environment">${environment}</span>
            </p>
            ${visit && whoIsIn(visit)} ${visit && navigation(context)}
          </div>
        </header>
        <main id="content" class="frame" tabindex="-1">
          ${
            news
              ? html`<div class="ds-alert news" data-color="${news.color}" tabindex="-1" autofocus>
                  <h1 class="ds-heading" data-size="sm">${title}</h1>
                  ${news.text}
                </div>`
              : html`<h1 class="ds-heading" data-size="md">${title}</h1>`
          }
          ${main}
        </main>
      </body>
    </html> `;
}

const navigation = (context: PageContext): Html =>
  html`<nav aria-label="Back office">
    <ul>
      ${PLACES.filter(([name]) => mayDo(context, name)).map(
        ([name, label]) => html`<li><a class="ds-link" href="${pagePath(name)}">${label}</a></li>`,
      )}
      <li><a class="ds-link" href="${ALL_PATH}">Everything</a></li>
    </ul>
  </nav>`;

const whoIsIn = ({ actor, formToken }: NonNullable<PageContext['visit']>): Html =>
  html`<form method="post" action="/logout" class="who">
    <span>${actor.name} <small>(${actor.roles.join(', ')})</small></span>
    <input type="hidden" name="token" value="${formToken}" />
    <button class="ds-button" data-variant="tertiary">Log out</button>
  </form>`;
