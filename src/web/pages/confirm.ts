import { bookingFacts, type CustomerBooking, type OfferedSlot } from '../booking-facts.ts';
import { html, type Html } from '../html.ts';
import { layout, type CaseContext } from '../layout.ts';
import { timesPath } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import { linkButton, postButton, waysOn } from '../ways-on.ts';

export interface Confirm {
  readonly slot: OfferedSlot;
  /** The appointment that this one would replace. */
  readonly current: CustomerBooking | null;
}

export function confirmPage(context: CaseContext, { slot, current }: Confirm): Html {
  const { visit } = context;
  const { confirm: t } = STRINGS[context.language];
  const chosen = html`<input type="hidden" name="slot" value="${slot.slotId}" />`;
  return layout(context, {
    title: t.title,
    main: html`<p>${t.lead}</p>
      <section class="ds-card">${bookingFacts(slot, context.language)}</section>
      ${
        current &&
        html`<p>${t.replaces}</p>
          <section class="ds-card" data-variant="tinted">${bookingFacts(current, context.language)}</section>`
      }
      ${waysOn(
        postButton(visit, 'confirm', t.confirm, 'primary', chosen),
        linkButton(timesPath(visit.caseId), t.other),
      )}`,
  });
}
