import { dayInWords } from '../../calendar/format.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import { html } from '../html.ts';
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
