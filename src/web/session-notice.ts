import { clockInWords } from '../calendar/format.ts';
import { html, type Content, type Html } from './html.ts';
import type { CaseContext, CustomerSession } from './page-context.ts';
import { endedPath, pathOf } from './paths.ts';
import { STRINGS } from './strings/languages.ts';

/** How long before the end the script warns. */
const WARN_SECONDS = 120;

/** Says when the session ends, and gives more time by one click. What the script needs to know stands here as well. */
export function sessionNotice(context: CaseContext): Content {
  const { language, visit, here } = context;
  const { customer, caseId } = visit;
  if (!customer) return null;
  const { session: t } = STRINGS[language];
  return html`<section
    id="session"
    data-seconds-left="${customer.secondsLeft}"
    data-warn-seconds="${WARN_SECONDS}"
    data-end-url="${endedPath(caseId)}"
    data-light-url="${pathOf('help', caseId)}"
  >
    <p>${t.who(customer.name)} <span data-session-until>${until(customer, context)}</span></p>
    ${customer.mayBeExtended && moreTime(context, { back: here, label: t.more, variant: 'tertiary' })}
  </section>`;
}

/** Shown by the script alone: without it, the notice has to do. */
export function sessionWarning(context: CaseContext): Content {
  const { language, visit, here } = context;
  const { customer } = visit;
  if (!customer) return null;
  const { session: t } = STRINGS[language];
  return html`<dialog
    class="ds-dialog"
    id="session-warning"
    role="alertdialog"
    aria-labelledby="session-warning-title"
    aria-describedby="session-warning-text"
  >
    <h2 class="ds-heading" data-size="sm" id="session-warning-title">${t.warning}</h2>
    <p id="session-warning-text"><span data-session-until>${until(customer, context)}</span> ${t.why}</p>
    ${
      customer.mayBeExtended
        ? moreTime(context, { back: here, label: t.stay, variant: 'primary' })
        : html`<form method="dialog">
            <button class="ds-button" data-variant="secondary">${t.close}</button>
          </form>`
    }
  </dialog>`;
}

function until({ endsAt, mayBeExtended }: CustomerSession, { language }: CaseContext): string {
  const { session: t } = STRINGS[language];
  const time = clockInWords(endsAt, language);
  return mayBeExtended ? t.until(time) : t.last(time);
}

const moreTime = (
  { visit, token }: CaseContext,
  { back, label, variant }: { back: string; label: string; variant: 'primary' | 'tertiary' },
): Html =>
  html`<form method="post" action="${pathOf('session', visit.caseId)}" data-extends>
    <input type="hidden" name="_token" value="${token}" />
    <input type="hidden" name="back" value="${back}" />
    <button class="ds-button" data-variant="${variant}">${label}</button>
  </form>`;
