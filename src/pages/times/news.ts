import { dayInWords } from '../../calendar/format.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import type { Availability } from '../../providers/availability.ts';
import { html, type Html } from '../html.ts';
import type { CaseContext, PageBody } from '../layout.ts';

/** What has just become of the customer's appointment, and until when another can be booked. */
export interface TimesNews {
  readonly kind: 'cancelled' | 'chooseAgain';
  readonly bookingDeadline: CalendarDate;
}

/** Said first, in title and heading; who pays for another one is named. */
export function newsOf(
  { kind, bookingDeadline }: TimesNews,
  { language, t: { times: t }, visit }: CaseContext,
): Required<Pick<PageBody, 'title' | 'news'>> {
  const day = dayInWords(bookingDeadline, language);
  const { title, text } = t[kind];
  return {
    title,
    news: {
      color: kind === 'cancelled' ? 'success' : 'warning',
      text: html`<p>${text({ partner: visit.partnerName, day })}</p>`,
    },
  };
}

/** Says who has not answered yet, and leads to the same page with them; a script brings it by itself. */
export function awaitedNotice(
  awaited: Availability['awaited'],
  { here, language, t: { times: t } }: CaseContext,
): Html {
  const names = new Intl.ListFormat(language).format(awaited.map(({ name }) => name));
  const whole = `${here}${here.includes('?') ? '&' : '?'}wait=all`;
  return html`<p id="awaited">
    ${awaited.length > 0 && html`${t.awaited({ names })} <a class="ds-link" href="${whole}">${t.showAwaited}</a>`}
  </p>`;
}
