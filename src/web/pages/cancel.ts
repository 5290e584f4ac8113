import { bookingFacts, type CustomerBooking } from '../booking-facts.ts';
import { html, type Html } from '../html.ts';
import { layout } from '../layout.ts';
import type { CaseContext } from '../page-context.ts';
import { pathOf, timesPath } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import { hiddenField, linkButton, postButton, waysOn } from '../ways-on.ts';

export interface Cancel {
  readonly booking: CustomerBooking;
}

export function cancelPage(context: CaseContext, { booking }: Cancel): Html {
  const { caseId } = context.visit;
  const { cancel: t } = STRINGS[context.language];
  // so that an old page can't cancel another appointment than the one it showed
  const which = hiddenField('booking', booking.bookingId);
  return layout(context, {
    title: t.title,
    main: html`<section class="ds-card">${bookingFacts(booking, context.language)}</section>
      <p>${t.warning}</p>
      ${waysOn(
        postButton(context, 'cancel', t.cancel, 'primary', which),
        linkButton(timesPath(caseId), t.change),
        linkButton(pathOf('welcome', caseId), t.keep, 'tertiary'),
      )}`,
  });
}
