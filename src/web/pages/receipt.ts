import { bookingFacts, type CustomerBooking } from '../booking-facts.ts';
import { html, type Html } from '../html.ts';
import { layout } from '../layout.ts';
import type { CaseContext } from '../page-context.ts';
import { pathOf, timesPath } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import type { Strings } from '../strings/nb.ts';
import { helpLink, linkButton, waysOn } from '../ways-on.ts';

export interface Receipt {
  readonly booking: CustomerBooking;
  readonly mayChange: boolean;
  readonly mayCancel: boolean;
  /** Every address was said to be somebody else's: nothing more is sent. */
  readonly isSilent: boolean;
}

export function receiptPage(context: CaseContext, receipt: Receipt): Html {
  const { booking, mayChange, mayCancel, isSilent } = receipt;
  const { caseId } = context.visit;
  const { receipt: t } = STRINGS[context.language];
  const facts = html`<section class="ds-card">${bookingFacts(booking, context.language)}</section>`;
  if (!mayChange && !mayCancel)
    return layout(context, {
      title: t.titleStarted,
      main: html`${facts}
        <p>${t.started}</p>
        ${waysOn(helpLink(context))}`,
    });
  return layout(context, {
    title: t.title,
    news: { color: 'success', text: html`<p>${booked(receipt, t)}</p>` },
    main: html`${facts} ${isSilent && html`<p>${t.silent}</p>`}
      ${waysOn(linkButton(pathOf('calendar', caseId), t.calendar, 'primary'))}
      <p>${t.until}</p>
      ${waysOn(
        mayChange && linkButton(timesPath(caseId), t.change),
        mayCancel && linkButton(pathOf('cancel', caseId), t.cancel),
        helpLink(context, 'tertiary'),
      )}`,
  });
}

function booked({ booking, isSilent }: Receipt, t: Strings['receipt']): string {
  if (booking.transferredAt !== null) return t.transferred;
  return isSilent ? t.beingTransferred : `${t.beingTransferred} ${t.confirmed}`;
}
