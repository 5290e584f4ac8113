import { bookingFacts, type CustomerBooking, type OfferedSlot } from '../booking-facts.ts';
import { html, type Html } from '../html.ts';
import { layout } from '../layout.ts';
import type { CaseContext } from '../page-context.ts';
import { timesPath } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import { queryFields, type TimesQuery } from '../times-query.ts';
import { hiddenField, linkButton, postButton, waysOn } from '../ways-on.ts';

export interface Confirm {
  readonly slot: OfferedSlot;
  /** The appointment that this one would replace. */
  readonly current: CustomerBooking | null;
  /** Where the customer comes from, and goes back to. */
  readonly query: TimesQuery;
  /** A page without the current appointment was confirmed: it was booked in another tab since. */
  readonly isNews?: boolean;
}

export function confirmPage(context: CaseContext, { slot, current, query, isNews = false }: Confirm): Html {
  const { visit, language } = context;
  const { confirm: t } = STRINGS[language];
  const fields = [
    hiddenField('slot', slot.slotId),
    hiddenField('replaces', current?.bookingId ?? ''),
    Object.entries(queryFields(query)).map(([name, value]) => value !== null && hiddenField(name, value)),
  ];
  return layout(context, {
    title: t.title,
    ...(isNews && { news: { color: 'info', text: html`<p>${t.have}</p>` } }),
    main: html`<section class="ds-card">${bookingFacts(slot, language)}</section>
      ${
        current
          ? html`<p>${t.replaces}</p>
              <section class="ds-card" data-variant="tinted">${bookingFacts(current, language)}</section>`
          : html`<p>${t.after}</p>`
      }
      ${waysOn(
        postButton(context, 'confirm', current ? t.change : t.confirm, 'primary', fields),
        linkButton(timesPath(visit.caseId, query), t.other),
      )}`,
  });
}
