import { bookingFacts, type CustomerBooking } from '../booking-facts.ts';
import { html, type Html } from '../html.ts';
import { layout } from '../layout.ts';
import type { CaseContext } from '../page-context.ts';
import { pathOf, timesPath } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import { helpLink, linkButton, waysOn } from '../ways-on.ts';

export interface Receipt {
  readonly booking: CustomerBooking;
  readonly mayChange: boolean;
  readonly mayCancel: boolean;
}

export function receiptPage(context: CaseContext, { booking, mayChange, mayCancel }: Receipt): Html {
  const { caseId } = context.visit;
  const { receipt: t } = STRINGS[context.language];
  return layout(context, {
    title: t.title,
    news: {
      color: 'success',
      text: html`<p>
        ${booking.transferredAt === null ? `${t.beingTransferred} ${t.confirmed}` : t.transferred}
      </p>`,
    },
    main: html`<section class="ds-card">${bookingFacts(booking, context.language)}</section>
      ${waysOn(linkButton(pathOf('calendar', caseId), t.calendar, 'primary'))}
      <p>${mayChange || mayCancel ? t.until : t.started}</p>
      ${waysOn(
        mayChange && linkButton(timesPath(caseId), t.change),
        mayCancel && linkButton(pathOf('cancel', caseId), t.cancel),
        helpLink(context, 'tertiary'),
      )}`,
  });
}
