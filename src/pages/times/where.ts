import { dateAt } from '../../calendar/dates.ts';
import { dayInWords, shortDayInWords } from '../../calendar/format.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import type { SlotOffer } from '../../http/booking/offered-slots.ts';
import type { Availability } from '../../providers/availability.ts';
import { helpLink, buttonRow } from '../controls.ts';
import { type Content, html, type Html } from '../html.ts';
import { type CaseContext, layout, type PageBody } from '../layout.ts';
import { timesPath } from '../paths.ts';
import { NO_FILTERS, NO_QUERY, type TimesQuery } from './query.ts';

/** A place to choose, or video; with its times, the earliest first. */
export interface PlaceChoice {
  /** `elsewhere`: in person, where no town is known. */
  readonly kind: 'town' | 'elsewhere' | 'video' | 'anywhere';
  /** Of a `town`, its name. */
  readonly town: string | null;
  readonly slots: readonly SlotOffer[];
}

/** What there is to choose from: towns by name, then video, then all of it. One alone is no choice. */
export function placeChoices(slots: readonly SlotOffer[]): PlaceChoice[] {
  const inPerson = slots.filter(({ mode }) => mode === 'in_person');
  const towns = Map.groupBy(inPerson, ({ details }) => details.town);
  const choices = [...towns]
    .map(([town, theirs]): PlaceChoice => {
      return { kind: town === null ? 'elsewhere' : 'town', town, slots: theirs };
    })
    .sort((a, b) => (a.town === null ? 1 : b.town === null ? -1 : a.town.localeCompare(b.town, 'nb')));
  const video = slots.filter(({ mode }) => mode === 'video');
  if (video.length > 0) choices.push({ kind: 'video', town: null, slots: video });
  if (choices.length < 2) return [];
  return [...choices, { kind: 'anywhere', town: null, slots }];
}

export interface Where {
  readonly choices: readonly PlaceChoice[];
  /** So many days were looked through. */
  readonly days: number;
  readonly awaited: Availability['awaited'];
  readonly news: TimesNews | null;
}

/** The question that comes first where there is more than one place: nobody is to read through times of other towns. */
export function wherePage(context: CaseContext, { choices, days, awaited, news }: Where): Html {
  const { where: t } = context.t;
  const told = news && newsOf(news, context);
  return layout(context, {
    title: told?.title ?? t.title,
    ...(told && { news: told.news }),
    main: html`${told && html`<h2 class="ds-heading" data-size="sm">${t.title}</h2>`}
      <ul class="places" id="places">
        ${choices.map((choice) => html`<li>${placeLink(choice, context)}</li>`)}
      </ul>
      ${awaitedNotice(awaited, context)}
      <p class="hint">${t.hint({ days })}</p>
      ${buttonRow(helpLink(context, 'tertiary'))}`,
  });
}

function placeLink(choice: PlaceChoice, { visit, language, t: { where: t } }: CaseContext): Html {
  const { slots } = choice;
  const [first] = slots;
  return html`<a class="place" href="${timesPath(visit.caseId, queryAt(choice))}">
    <strong>${choice.kind === 'town' ? choice.town : t[choice.kind]}</strong>
    ${first && html`<span>${t.times({ count: slots.length, day: shortDayInWords(dateAt(first.start), language) })}</span>`}
  </a>`;
}

const QUERY_AT: Readonly<Record<PlaceChoice['kind'], (town: string | null) => Partial<TimesQuery>>> = {
  town: (town) => ({ filters: { ...NO_FILTERS, town } }),
  elsewhere: () => ({ filters: { ...NO_FILTERS, mode: 'in_person' } }),
  video: () => ({ filters: { ...NO_FILTERS, mode: 'video' } }),
  anywhere: () => ({ anywhere: true }),
};
const queryAt = ({ kind, town }: PlaceChoice): TimesQuery => ({ ...NO_QUERY, ...QUERY_AT[kind](town) });

/** Where the question is asked anew. */
export const askForPlace = ({ visit }: CaseContext): string => `${timesPath(visit.caseId)}?where=ask`;

/** Each place's own, in the order in which the first of each comes. */
export const byPlace = (slots: readonly SlotOffer[]): (readonly SlotOffer[])[] => [
  ...Map.groupBy(slots, ({ mode, details }) =>
    mode === 'video' ? mode : `in ${details.town ?? ''}`,
  ).values(),
];

/** Which place was chosen, in bold, and the way to another. */
export function chosenPlace(
  { filters: { town, mode }, anywhere }: TimesQuery,
  context: CaseContext,
): Content {
  const { where: t } = context.t;
  const place =
    town ?? (mode === 'video' ? t.video : mode === 'in_person' ? t.elsewhere : anywhere ? t.anywhere : null);
  return (
    place !== null &&
    html`<p class="where">
      <strong>${place}</strong> <a class="ds-link" href="${askForPlace(context)}">${t.change}</a>
    </p>`
  );
}

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
