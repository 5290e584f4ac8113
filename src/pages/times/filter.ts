import { PARTS_OF_DAY } from '../../calendar/dates.ts';
import type { SlotOffer } from '../../http/booking/offered-slots.ts';
import { languageInWords } from '../appointments.ts';
import { buttonRow, hiddenField, radios } from '../controls.ts';
import { type Content, html, type Html } from '../html.ts';
import type { CaseContext } from '../layout.ts';
import { pathOf, timesPath } from '../paths.ts';
import { type Filters, filtersOn, NO_FILTERS, onlyPlace, queryFields } from './query.ts';
import type { Results } from './results.ts';

/**
 * A form that asks, so it works without a script; closed until it is of use, since most people take the first time. What
 * no clinic says of its people is not asked for.
 */
export function timesFilter(results: Results, context: CaseContext): Html {
  const { visit, t: strings } = context;
  const { times: t } = strings;
  const { query, slots, awaited, found } = results;
  const providers = [...results.providers, ...awaited];
  const { filters, anywhere } = query;
  const count = filtersOn(filters);
  const isModeAsked = filters.town === null && (filters.mode !== null || isMixed(slots));
  const kept = { ...NO_FILTERS, town: filters.town, mode: isModeAsked ? null : filters.mode };
  const fields = queryFields({ ...query, anywhere: anywhere && !isModeAsked, skip: 0, filters: kept });
  const clear = timesPath(visit.caseId, { ...query, skip: 0, filters: onlyPlace(filters) });
  return html`<details class="ds-details" ${count > 0 && html`open`}>
    <summary>
      <span>${t.filter} <span id="filter-state">${count > 0 && `(${t.filtersOn({ count })})`}</span></span>
    </summary>
    <form method="get" action="${pathOf('times', visit.caseId)}" id="filters">
      ${Object.entries(fields).map(([name, value]) => value !== null && hiddenField(name, value))}
      ${choice('partOfDay', t.partOfDay, [
        anyOption(filters.partOfDay, t.anyPartOfDay),
        ...PARTS_OF_DAY.map((part) => option(part, t.partsOfDay[part], filters.partOfDay)),
      ])}
      ${isModeAsked && modes(filters, context)}
      ${
        providers.length > 1 &&
        choice('provider', t.provider, [
          anyOption(filters.provider, t.all),
          ...providers.map(({ id, name }) => option(id, name, filters.provider)),
        ])
      }
      ${choice('practitioner', t.practitioner, [
        anyOption(filters.practitioner, t.all),
        ...practitioners(slots, filters),
      ])}
      ${aboutPractitioners(results, context)}
      <div class="show">
        ${buttonRow(
          html`<button
            class="ds-button"
            id="filter-show"
            data-count="${t.filterShowCount({ count: found.length })}"
          >
            ${t.filterShow}
          </button>`,
          html`<span id="filter-clear"
            >${count > 0 && html`<a class="ds-link" href="${clear}">${t.filterClear}</a>`}</span
          >`,
        )}
      </div>
    </form>
  </details>`;
}

const isMixed = (slots: readonly SlotOffer[]): boolean => new Set(slots.map(({ mode }) => mode)).size > 1;

/** Language, gender and profession, each where there is a choice. */
function aboutPractitioners(
  { slots, query: { filters } }: Results,
  { language, t: { times: t } }: CaseContext,
): Content {
  const among = (values: readonly (string | null)[], chosen: string | null): string[] =>
    [...new Set([...values, chosen])].filter((value) => value !== null);
  const select = (
    name: 'speaks' | 'gender' | 'profession',
    said: readonly (string | null)[],
    inWords: (value: string) => string,
  ) => {
    const values = among(said, filters[name]);
    if (values.length < 2 && filters[name] === null) return null;
    const options = values
      .map((value) => ({ value, label: inWords(value) }))
      .sort((a, b) => a.label.localeCompare(b.label, 'nb'));
    return choice(name, t[name], [
      anyOption(filters[name], t.all),
      ...options.map(({ value, label }) => option(value, label, filters[name])),
    ]);
  };
  const details = slots.map((slot) => slot.details);
  return [
    select(
      'speaks',
      details.flatMap(({ languages }) => languages),
      (code) => languageInWords(code, language),
    ),
    select(
      'gender',
      details.map(({ gender }) => gender),
      (gender) => t.genders[gender === 'female' ? 'female' : 'male'],
    ),
    select(
      'profession',
      details.map(({ profession }) => profession),
      (profession) => profession,
    ),
  ];
}

const choice = (name: keyof Filters, label: string, options: readonly Content[]): Html =>
  html`<div class="ds-field">
    <label class="ds-label" for="filter-${name}">${label}</label>
    <select class="ds-input" id="filter-${name}" name="${name}">
      ${options}
    </select>
  </div>`;

const option = (value: string, label: string, chosen: string | null): Html =>
  html`<option value="${value}" ${value === chosen && html`selected`}>${label}</option>`;

const anyOption = (chosen: string | null, label: string): Html => option('', label, chosen ?? '');

/** By clinic, so that nobody looks for one where they don't work. */
function practitioners(slots: readonly SlotOffer[], { practitioner: chosen }: Filters): Content[] {
  const byClinic = Map.groupBy(slots, ({ providerName }) => providerName);
  const groups = [...byClinic].map(([clinic, theirs]): Content => {
    const names = sorted(theirs.map(({ practitioner }) => practitioner));
    return html`<optgroup label="${clinic}">${names.map((name) => option(name, name, chosen))}</optgroup>`;
  });
  // chosen on other days, and not there on these: it is still what is looked for
  const isThere = chosen === null || slots.some(({ practitioner }) => practitioner === chosen);
  return isThere ? groups : [option(chosen, chosen, chosen), ...groups];
}

const sorted = (names: readonly string[]): string[] =>
  [...new Set(names)].sort((a, b) => a.localeCompare(b, 'nb'));

const modes = ({ mode: chosen }: Filters, { t: { times: t, facts } }: CaseContext): Html =>
  radios({ name: 'mode', ids: 'filter-mode', legend: t.mode, chosen: chosen ?? 'any' }, [
    ['any', t.bothModes],
    ['in_person', facts.mode.in_person],
    ['video', facts.mode.video],
  ]);
