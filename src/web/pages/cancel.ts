import { bookingFacts, type CustomerBooking } from '../booking-facts.ts';
import { html, type Html } from '../html.ts';
import { layout, type CaseContext } from '../layout.ts';
import { pathOf } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import { linkButton, postButton, waysOn } from '../ways-on.ts';

export interface Cancel {
  readonly booking: CustomerBooking;
}

export function cancelPage(context: CaseContext, { booking }: Cancel): Html {
  const { visit } = context;
  const { cancel: t } = STRINGS[context.language];
  // so that an old page can't cancel another appointment than the one it showed
  const which = html`<input type="hidden" name="booking" value="${booking.bookingId}" />`;
  return layout(context, {
    title: t.title,
    main: html`<p>${t.lead}</p>
      <section class="ds-card">${bookingFacts(booking, context.language)}</section>
      <p>${t.warning}</p>
      ${waysOn(
        postButton(visit, 'cancel', t.cancel, 'primary', which),
        linkButton(pathOf('welcome', visit.caseId), t.keep),
      )}`,
  });
}
