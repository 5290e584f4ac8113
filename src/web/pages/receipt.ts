import { bookingFacts, type CustomerBooking } from '../booking-facts.ts';
import { html, type Html } from '../html.ts';
import { layout, type CaseContext } from '../layout.ts';
import { pathOf, timesPath } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import { helpLink, linkButton, waysOn } from '../ways-on.ts';

export interface Receipt {
  readonly booking: CustomerBooking;
  readonly mayChange: boolean;
  readonly mayCancel: boolean;
}

export function receiptPage(context: CaseContext, { booking, mayChange, mayCancel }: Receipt): Html {
  const { visit } = context;
  const { receipt: t } = STRINGS[context.language];
  return layout(context, {
    title: t.title,
    main: html`<div class="ds-alert" data-color="success" role="status">
        <p>
          <strong>${t.confirmed}</strong>
          ${booking.transferredAt === null ? [t.beingTransferred, ' ', t.sent] : t.transferred}
        </p>
      </div>
      <section class="ds-card">${bookingFacts(booking, context.language)}</section>
      ${waysOn(
        linkButton(pathOf('calendar', visit.caseId), t.calendar, 'primary'),
        mayChange && linkButton(timesPath(visit.caseId), t.change),
        mayCancel && linkButton(pathOf('cancel', visit.caseId), t.cancel),
        helpLink(context),
      )}`,
  });
}
