import { type Content, html, type Html } from '../../pages/html.ts';
import { inputSchema } from '../description.ts';
import { DESCRIPTIONS } from '../descriptions/index.ts';
import { describedBy, mayDo, optionsInWords, type PageContext, wayPath, wayTitle } from './layout.ts';
import type { View, Way } from '../view.ts';

/** What people read of an answer, as HTML. @param level of the headings within it */
export function viewHtml(view: View, context: PageContext, level: 2 | 3 = 2): Content {
  if (typeof view === 'string') return paragraphs(view, context);
  if ('parts' in view) return view.parts.map((part) => viewHtml(part, context, level));
  if ('title' in view) {
    const inner = viewHtml(view.view, context, 3);
    return level === 2
      ? html`<section>
          <h2 class="ds-heading" data-size="xs">${view.title}</h2>
          ${inner}
        </section>`
      : html`<section>
          <h3 class="ds-heading" data-size="2xs">${view.title}</h3>
          ${inner}
        </section>`;
  }
  if ('facts' in view)
    return html`<dl class="facts">
      ${view.facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd class="lines">${words(value, context)}</dd>
          </div>`,
      )}
    </dl>`;
  return tableHtml(view, context);
}

export const paragraphs = (text: string, context: PageContext): Content =>
  text.split('\n').map((line) => html`<p>${words(line, context)}</p>`);

/**
 * Text in which commands stand between backticks, as a terminal's user types them: here they lead to their pages.
 */
const words = (text: string, context: PageContext): Content =>
  text.split('`').map((part, i) => (i % 2 === 0 ? optionsInWords(part) : commandHtml(part, context)));

function commandHtml(text: string, context: PageContext): Html {
  const found = wayIn(text.replace(/^operator /, ''));
  return found ? wayHtml(found, context) : html`<code>${text}</code>`;
}

/** A link where the reader's roles let them; else what it is called. */
export const wayHtml = (way: Way, context: PageContext): Html =>
  mayDo(context, way.name, way.input)
    ? html`<a class="ds-link" href="${wayPath(way)}">${wayTitle(way)}</a>`
    : html`${wayTitle(way)}`;

/** The operation that a command line names, and what it says of its input; null for any other text. */
export function wayIn(command: string): Way | null {
  const description = DESCRIPTIONS.filter(({ name }) => `${command} `.startsWith(`${name} `)).sort(
    (a, b) => b.name.length - a.name.length,
  )[0];
  if (!description) return null;
  const { properties } = inputSchema(description);
  const places = Object.keys(properties).filter((field) => properties[field]?.['x-form']?.positional);
  const input: Record<string, unknown> = {};
  const given = command.slice(description.name.length).match(/"[^"]*"|\S+/g) ?? [];
  for (let i = 0; i < given.length; i += 1) {
    const word = (given[i] ?? '').replaceAll('"', '');
    if (/^(<.*>|ID|CAUSE|DATE|TICKET)$/.test(word)) continue;
    if (!word.startsWith('--')) {
      const place = places.shift();
      if (place !== undefined) input[place] = word;
      continue;
    }
    const field = word.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (properties[field]?.type === 'boolean') input[field] = true;
    else if (field in properties && /^[^-<]/.test(given[i + 1] ?? '')) {
      i += 1;
      input[field] = (given[i] ?? '').replaceAll('"', '');
    }
  }
  return { name: description.name, input };
}

type Table = Extract<View, { readonly headings: readonly string[] }>;

/** Rows become cards where the screen is narrow; then each cell says its heading. */
export function tableHtml(
  { headings, rows, ways }: Table,
  context: PageContext,
  choose?: (row: number) => Content,
): Html {
  const possible = ways?.map((all) => all.filter(({ name, input }) => mayDo(context, name, input)));
  // what changes something is not what the row is about
  const isAbout = (one: Way | undefined): one is Way => one !== undefined && !describedBy(one.name).changes;
  const hasMore = choose !== undefined || possible?.some((all) => all.length > (isAbout(all[0]) ? 1 : 0));
  return html`<table class="rows">
    <thead>
      <tr>
        ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
        ${hasMore && html`<th scope="col">To do</th>`}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row, i) => {
        const all = possible?.[i] ?? [];
        const about = isAbout(all[0]) ? all[0] : null;
        const others = about ? all.slice(1) : all;
        return html`<tr>
          ${row.map(
            (cell, column) =>
              html`<td data-heading="${headings[column]}" ${/^https?:/.test(cell) && html`class="address"`}>
                ${column === 0 && about ? html`<a class="ds-link" href="${wayPath(about)}">${cell || '–'}</a>` : optionsInWords(cell) || '–'}
              </td>`,
          )}
          ${
            hasMore &&
            html`<td data-heading="To do" class="ways">
              ${choose?.(i)} ${others.map((way) => wayLink(way, row[0] ?? ''))}
            </td>`
          }
        </tr>`;
      })}
    </tbody>
  </table>`;
}

/** @param about which row's, for who hears the links without the row */
const wayLink = (way: Way, about: string): Html =>
  html`<a class="ds-link" href="${wayPath(way)}" aria-label="${wayTitle(way)}: ${about}"
    >${wayTitle(way)}</a
  > `;
