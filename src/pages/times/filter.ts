import type { SlotOffer } from '../../http/booking/offered-slots.ts';
import { buttonRow, hiddenField } from '../buttons.ts';
import { type Content, html, type Html } from '../html.ts';
import type { CaseContext } from '../layout.ts';
import { pathOf, timesPath } from '../paths.ts';
import { type Filters, filtersOn, NO_FILTERS, queryFields } from './query.ts';
import type { Times } from './results.ts';

/** A form that asks, so it works without a script; closed until it is of use, since most people take the first time. */
export function timesFilter(times: Times, { visit, t: strings }: CaseContext): Html {
  const { times: t, facts } = strings;
  const { query, slots, providers } = times;
  const { filters } = query;
  const count = filtersOn(filters);
  const kept = Object.entries(queryFields({ ...query, skip: 0, filters: NO_FILTERS }));
  const clear = timesPath(visit.caseId, { ...query, skip: 0, filters: NO_FILTERS });
  return html`<details class="ds-details" ${count > 0 && html`open`}>
    <summary>
      <span>${t.filter} <span id="filter-state">${count > 0 && `(${t.filtersOn({ count })})`}</span></span>
    </summary>
    <form method="get" action="${pathOf('times', visit.caseId)}" id="filters">
      ${kept.map(([name, value]) => value !== null && hiddenField(name, value))}
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
      ${choice('place', t.place, [anyOption(filters.place, t.all), ...places(slots, filters)])}
      ${modes(filters, t, facts.mode)}
      ${buttonRow(
        html`<button class="ds-button" data-variant="secondary">${t.filterShow}</button>`,
        html`<span id="filter-clear"
          >${count > 0 && html`<a class="ds-link" href="${clear}">${t.filterClear}</a>`}</span
        >`,
      )}
    </form>
  </details>`;
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

function places(slots: readonly SlotOffer[], { place: chosen }: Filters): Content[] {
  const there = slots.filter(({ mode }) => mode === 'in_person').map(({ location }) => location);
  return sorted(chosen === null ? there : [...there, chosen]).map((place) => option(place, place, chosen));
}

const sorted = (names: readonly string[]): string[] =>
  [...new Set(names)].sort((a, b) => a.localeCompare(b, 'nb'));

function modes(
  { mode: chosen }: Filters,
  t: { readonly mode: string; readonly bothModes: string },
  words: { readonly in_person: string; readonly video: string },
): Html {
  const ways = [
    ['', t.bothModes],
    ['in_person', words.in_person],
    ['video', words.video],
  ] as const;
  return html`<fieldset class="ds-fieldset">
    <legend class="ds-label">${t.mode}</legend>
    ${ways.map(
      ([value, label]) =>
        html`<div class="ds-field">
          <input
            class="ds-input"
            type="radio"
            name="mode"
            id="filter-mode-${value === '' ? 'both' : value}"
            value="${value}"
            ${(chosen ?? '') === value && html`checked`}
          />
          <label class="ds-label" for="filter-mode-${value === '' ? 'both' : value}">${label}</label>
        </div>`,
    )}
  </fieldset>`;
}
