import { clockInWords, type Language, LANGUAGES } from '../calendar/format.ts';
import type { CaseId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { assetPath, ASSETS } from './assets.ts';
import { type Content, html, type Html } from './html.ts';
import { endedPath, pathOf, privacyPath, ROUTES } from './paths.ts';
import { STRINGS } from '../strings/strings.ts';
import type { Strings } from '../strings/catalogue.ts';

export interface PageBody {
  readonly title: string;
  /** Which part of it this is, where it takes several pages: for who has several open. */
  readonly part?: string;
  readonly main: Content;
  /** News that the page is about: its heading stands in it, and the focus is on it. */
  readonly news?: { readonly color: 'success' | 'info' | 'warning'; readonly text: Content };
  /** Something typed must be corrected: said in the title too, which is heard first. */
  readonly hasFaults?: boolean;
  /** The id of the form whose fields go along to another language, so that nothing is typed twice; its page takes `language`. */
  readonly keeps?: string;
  /** Seconds after which the browser asks again. */
  readonly againSeconds?: number;
}

export function layout(context: PageContext, body: PageBody): Html {
  const { language, t, visit } = context;
  const { title, part, main, hasFaults = false, againSeconds } = body;
  const about = [hasFaults ? t.fault({ title }) : title, part, visit?.treatment].filter(Boolean).join(' – ');
  const service = visit === null ? t.service : `${t.service} ${t.onBehalfOf({ partner: visit.partnerName })}`;
  return html`<!doctype html>
    <html lang="${language}" data-color-scheme="auto">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="format-detection" content="telephone=no" />
        <title>${about} – ${service}</title>
        <link rel="icon" type="image/svg+xml" href="${assetPath('icon.svg')}" />
        <link rel="stylesheet" href="${assetPath('pages.css')}" />
        ${SCRIPTS.map((name) => html`<link rel="modulepreload" href="${assetPath(name)}" />`)}
        <script type="module" src="${assetPath('pages.js')}"></script>
        ${
          againSeconds !== undefined &&
          html`<noscript><meta http-equiv="refresh" content="${againSeconds}" /></noscript>`
        }
      </head>
      <body>
        <a class="ds-skip-link" href="#content">${t.skip}</a>
        ${pageHeader(context, body)}
        <main
          id="content"
          class="frame"
          tabindex="-1"
          ${againSeconds !== undefined && html`data-again-seconds="${againSeconds}"`}
        >
          ${visit?.treatment != null && html`<p class="treatment">${visit.treatment}</p>`} ${heading(body)}
          ${main}
        </main>
        ${pageFooter(context)} ${visit && sessionWarning({ ...context, visit })}
        <div class="ds-alert offline" data-color="warning" id="offline" role="alert" hidden>
          <p>${t.offline}</p>
        </div>
      </body>
    </html> `;
}

const SCRIPTS = [...ASSETS].filter(([, { type }]) => type === 'js').map(([name]) => name);

const heading = ({ title, news }: PageBody): Html =>
  news
    ? html`<div class="ds-alert news" data-color="${news.color}" tabindex="-1" autofocus>
        <h1 class="ds-heading" data-size="md">${title}</h1>
        ${news.text}
      </div>`
    : html`<h1 class="ds-heading" data-size="lg">${title}</h1>`;

/** What every page needs besides its own matter. */
export interface PageContext {
  readonly language: Language;
  /** What the pages say, in that language. */
  readonly t: Strings;
  readonly support: { readonly email: string; readonly phone: string };
  readonly owner: ServiceOwner;
  /** Ties a form to this browser: the value of every form's `_token`. */
  readonly token: string;
  /** The address of this page, to which a choice of language and a longer session lead back. */
  readonly here: string;
  /** Null where there is no case to go on with. */
  readonly visit: Visit | null;
}

/** Who runs the service, as customers read it. */
export interface ServiceOwner {
  readonly name: string;
  readonly organisationNumber: string;
  readonly address: string;
  /** Who answers questions about personal data. */
  readonly privacyEmail: string;
}

/** What the pages of a case need. */
export interface CaseContext extends PageContext {
  readonly visit: Visit;
}

export interface Visit {
  readonly caseId: CaseId;
  readonly partnerName: string;
  /** The address of the insurer's mark; null where there is none. */
  readonly partnerMark: string | null;
  /** Who is logged in, as the eID named them; null without a session. */
  readonly customer: CustomerSession | null;
  /** What the times are for, in the page's language; null for everybody but the case's own customer. */
  readonly treatment: string | null;
}

export interface CustomerSession {
  readonly name: string;
  readonly endsAt: Instant;
  /** Until then. Browsers' clocks are wrong by minutes. */
  readonly secondsLeft: number;
  readonly mayBeExtended: boolean;
}

/** Whose service this is, and on whose behalf; the other languages, and the way out. */
function pageHeader({ language, t, token, here, visit }: PageContext, { keeps }: PageBody): Html {
  return html`<header class="top">
    <div class="frame">
      <p class="service">
        ${visit?.partnerMark != null && html`<img class="mark" src="${visit.partnerMark}" alt="" width="96" height="32" />`}
        <span><strong>${t.service}</strong> ${visit && t.onBehalfOf({ partner: visit.partnerName })}</span>
      </p>
      <div class="top-actions">
        <form method="post" action="${ROUTES.language}" id="language" aria-label="${t.languages}">
          <input type="hidden" name="_token" value="${token}" />
          <input type="hidden" name="back" value="${here}" />
          ${
            // what Enter in a field presses: the first button of its form
            keeps !== undefined && html`<button form="${keeps}" hidden></button>`
          }
          ${LANGUAGES.filter((other) => other !== language).map(
            (other) =>
              html`<button
                class="ds-button"
                data-variant="tertiary"
                name="language"
                value="${other}"
                lang="${other}"
                ${keeps !== undefined && html`form="${keeps}"`}
              >
                ${STRINGS[other].languageName}
              </button>`,
          )}
        </form>
        ${
          visit?.customer &&
          html`<form method="post" action="${pathOf('logout', visit.caseId)}" id="logout">
            <input type="hidden" name="_token" value="${token}" />
            <button class="ds-button" data-variant="tertiary">${t.logout}</button>
          </form>`
        }
      </div>
    </div>
  </header>`;
}

/** Whom to call, on every page; and until when the customer is logged in. */
function pageFooter(context: PageContext): Html {
  const { support, visit } = context;
  const { support: t, home, privacy, about, access } = context.t;
  return html`<footer class="foot">
    <div class="frame">
      <h2 class="ds-heading" data-size="2xs">${t.title}</h2>
      <p>
        ${t.call}
        <a class="ds-link" href="tel:${support.phone.replaceAll(' ', '')}">${support.phone}</a>
        ${t.write} <a class="ds-link" href="mailto:${support.email}">${support.email}</a>.
        ${visit && t.reference({ reference: referenceOf(visit) })}
      </p>
      ${visit && sessionNotice({ ...context, visit })}
      <p class="hint">${about.runBy({ name: context.owner.name })}</p>
      <ul class="about">
        ${
          visit?.treatment != null &&
          html`<li><a class="ds-link" href="${pathOf('access', visit.caseId)}">${access.title}</a></li>`
        }
        <li><a class="ds-link" href="${ROUTES.home}">${home.genuine}</a></li>
        <li><a class="ds-link" href="${privacyPath(visit?.caseId)}">${privacy.title}</a></li>
        <li><a class="ds-link" href="${ROUTES.about}">${about.title}</a></li>
      </ul>
    </div>
  </footer>`;
}

/** What to quote on the telephone: an operator finds a case by the beginning of its id. */
const referenceOf = ({ caseId }: Visit): string => caseId.slice(0, 8);

/** How long before the end the script warns. */
const WARN_SECONDS = 120;

/** Says when the session ends, and gives more time by one click. What the script needs to know stands here as well. */
function sessionNotice(context: CaseContext): Content {
  const { visit, here } = context;
  const { customer, caseId } = visit;
  if (!customer) return null;
  const { session: t } = context.t;
  return html`<section
    id="session"
    data-seconds-left="${customer.secondsLeft}"
    data-warn-seconds="${WARN_SECONDS}"
    data-end-url="${endedPath(caseId, here)}"
    data-light-url="${pathOf('help', caseId)}"
  >
    <p>${t.who(customer)} <span data-session-until>${untilInWords(customer, context)}</span></p>
    ${customer.mayBeExtended && extendForm(context, { back: here, label: t.more, variant: 'tertiary' })}
  </section>`;
}

/** Shown by the script alone: without it, the notice has to do. */
function sessionWarning(context: CaseContext): Content {
  const { visit, here } = context;
  const { customer } = visit;
  if (!customer) return null;
  const { session: t } = context.t;
  return html`<dialog
    class="ds-dialog"
    id="session-warning"
    role="alertdialog"
    aria-labelledby="session-warning-title"
    aria-describedby="session-warning-text"
  >
    <h2 class="ds-heading" data-size="sm" id="session-warning-title">${t.warning}</h2>
    <p id="session-warning-text">
      <span data-session-until>${untilInWords(customer, context)}</span> ${t.why}
    </p>
    ${
      customer.mayBeExtended
        ? extendForm(context, { back: here, label: t.stay, variant: 'primary' })
        : html`<form method="dialog">
            <button class="ds-button" data-variant="secondary">${t.close}</button>
          </form>`
    }
  </dialog>`;
}

function untilInWords({ endsAt, mayBeExtended }: CustomerSession, { language, t }: CaseContext): string {
  const time = clockInWords(endsAt, language);
  return mayBeExtended ? t.session.until({ time }) : t.session.last({ time });
}

const extendForm = (
  { visit, token }: CaseContext,
  { back, label, variant }: { back: string; label: string; variant: 'primary' | 'tertiary' },
): Html =>
  html`<form method="post" action="${pathOf('session', visit.caseId)}" data-extends>
    <input type="hidden" name="_token" value="${token}" />
    <input type="hidden" name="back" value="${back}" />
    <button class="ds-button" data-variant="${variant}">${label}</button>
  </form>`;
