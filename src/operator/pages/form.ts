import { randomUUID } from 'node:crypto';
import { type Content, html, type Html } from '../../pages/html.ts';
import { type Description, type FieldSchema, inputSchema } from '../description.ts';
import type { OperationName } from '../descriptions/index.ts';
import type { FieldFault } from '../operator-error.ts';
import { capitalised, optionsInWords, type PageContext, sentence, wayPath, wayTitle } from './layout.ts';
import type { Way } from '../view.ts';

type Input = Readonly<Record<string, unknown>>;
type Fields = readonly (readonly [name: string, schema: FieldSchema])[];

const fieldsOf = (description: Pick<Description, 'input'>): Fields =>
  Object.entries(inputSchema(description).properties);

/** What pages know by themselves, and nobody is asked for. */
const SILENT = ['expectedStatus', 'revision', 'confirm'];

/** What was typed and chosen, as the operation takes it: what is left empty is not there. What is no number stays text. */
export function inputFrom(description: Pick<Description, 'input'>, form: Input): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, schema] of fieldsOf(description)) {
    const given = [form[name] ?? []]
      .flat()
      .filter((one) => typeof one === 'string' && one.trim() !== '') as string[];
    const last = given.at(-1);
    if (last === undefined) continue;
    switch (schema.type) {
      case 'boolean':
        input[name] = last === 'true';
        break;
      case 'integer':
      case 'number':
        input[name] = Number.isFinite(Number(last)) ? Number(last) : last;
        break;
      case 'array':
        input[name] = schema.items?.enum ? given : given.flatMap((one) => one.trim().split(/[\s,]+/));
        break;
      case 'string':
      case undefined:
        input[name] = last;
    }
  }
  return input;
}

/** A value as {@link inputFrom} reads it. */
export const hidden = (name: string, value: unknown): Content =>
  [value].flat().map((one) => html`<input type="hidden" name="${name}" value="${String(one)}" />`);

/** What every form that changes something carries: that it is ours, and which one, so that nothing is done twice. */
const ownForm = ({ visit }: PageContext): Content => [
  hidden('token', visit?.formToken ?? ''),
  hidden('form', randomUUID()),
];

/** A form of one button, for what needs no more than a page knows. */
export const buttonForm = (context: PageContext, way: Way, label: string, about: string): Html =>
  html`<form method="post" action="${wayPath(way)}" class="inline">
    ${ownForm(context)} ${Object.entries(way.input).map(([name, value]) => hidden(name, value))}
    <button class="ds-button" data-variant="secondary" aria-label="${label}: ${about}">${label}</button>
  </form>`;

export interface FormState {
  /** What is known, typed or chosen. */
  readonly input: Input;
  /** What the page's address says of it. */
  readonly known: Input;
  readonly faults?: readonly FieldFault[];
  /** The form's own address, to which a login leads back. */
  readonly action: string;
  /** Values to choose from, by the field's `of`. */
  readonly registered?: Readonly<Record<string, readonly string[]>>;
}

/** What the page was opened for is not asked for again, unless it is wrong. */
function isGiven(
  description: Description,
  { known, faults = [] }: FormState,
  name: string,
  schema: FieldSchema,
): boolean {
  if (known[name] === undefined || faults.some(({ field: wrong }) => wrong === name)) return false;
  const isSubject =
    schema['x-form']?.positional === true && schema.type === 'string' && schema.enum === undefined;
  return isSubject || SILENT.includes(name) || name === description.roleWith?.field;
}

/** For what changes something. */
export function operationForm(
  context: PageContext,
  description: Description<OperationName>,
  state: FormState,
): Html {
  const { input, faults = [], action } = state;
  const given = fieldsOf(description).filter(([name, schema]) => isGiven(description, state, name, schema));
  const asked = fieldsOf(description).filter(
    ([name, schema]) => !SILENT.includes(name) && !isGiven(description, state, name, schema),
  );
  const shown = given.filter(([name]) => !SILENT.includes(name) && name !== description.roleWith?.field);
  return html`${faults.length > 0 && faultSummary(description, faults)}
    <form method="post" action="${action}" class="asks" novalidate>
      ${ownForm(context)} ${given.map(([name]) => hidden(name, input[name]))}
      ${
        shown.length > 0 &&
        html`<dl class="facts">
          ${shown.map(
            ([name]) =>
              html`<div>
                <dt>${labelOf(description, name)}</dt>
                <dd>${String(input[name])}</dd>
              </div>`,
          )}
        </dl>`
      }
      ${asked.map(([name, schema]) => field(name, schema, description, state))}
      <div class="buttons">
        <button class="ds-button" data-variant="primary">
          ${wayTitle({ name: description.name, input })}
        </button>
      </div>
    </form>`;
}

/** For what looks only: its answer stands below it, and its address has all that was chosen. */
export function filterForm(description: Description, state: FormState, isAnswered: boolean): Content {
  const fields = fieldsOf(description).filter(
    ([name]) => name !== description.roleWith?.field && name !== 'after',
  );
  if (fields.length === 0) return null;
  const { faults = [], input } = state;
  const chosen = fields
    .filter(([name]) => input[name] !== undefined)
    .map(([name]) => labelOf(description, name));
  const form = html`<form method="get" action="${state.action}" class="filter" role="search">
    ${fields.map(([name, schema]) => field(name, schema.items?.enum ? schema.items : schema, description, state))}
    <div class="buttons"><button class="ds-button" data-variant="secondary">Show</button></div>
  </form>`;
  if (!isAnswered) return html`${faults.length > 0 && faultSummary(description, faults)} ${form}`;
  return html`<details class="ds-details">
    <summary>Filter ${chosen.length > 0 && `(${chosen.join(', ')})`}</summary>
    ${form}
  </details>`;
}

/** Asks again for what was sent, with more of it. */
export const againForm = (
  context: PageContext,
  { input, action, method, more }: { input: Input; action: string; method: 'get' | 'post'; more: Content },
): Html =>
  html`<form method="${method}" action="${action}">
    ${method === 'post' && ownForm(context)}
    ${Object.entries(input).map(([name, value]) => hidden(name, value))} ${more}
  </form>`;

/** What a field is called on pages. */
const labelOf = (description: Pick<Description, 'input'>, name: string): string =>
  inputSchema(description).properties[name]?.['x-form']?.label ?? sentence(name);

function field(name: string, schema: FieldSchema, description: Description, state: FormState): Html {
  const isRequired = inputSchema(description).required?.includes(name) === true;
  const fault = state.faults?.find((one) => one.field === name);
  const hint = schema.description;
  const described = [hint !== undefined && `${name}-hint`, fault && `${name}-fault`]
    .filter(Boolean)
    .join(' ');
  const attributes = html`id="${name}" name="${name}"
  ${described !== '' && html`aria-describedby="${described}"`} ${fault && html`aria-invalid="true"`}
  ${isRequired && html`required`}`;
  const label = html`<label class="ds-label" for="${name}">
    ${labelOf(description, name)}
    ${!isRequired && description.changes && html`<span class="hint">(optional)</span>`}
  </label>`;
  const about = html`${hint !== undefined && html`<p id="${name}-hint" data-field="description">${sentenceOf(hint)}</p>`}
  ${fault && html`<p class="ds-validation-message" data-color="danger" id="${name}-fault">${faultText(description, fault)}</p>`}`;
  const value = state.input[name];
  if (schema.type === 'boolean' && schema['x-form']?.negation === undefined)
    return html`<div class="ds-field">
      <input class="ds-input" type="checkbox" value="true" ${attributes} ${value === true && html`checked`} />
      ${label} ${about}
    </div>`;
  return html`<div class="ds-field">${label} ${about} ${control(schema, value, attributes, state)}</div>`;
}

function control(schema: FieldSchema, value: unknown, attributes: Html, { registered }: FormState): Html {
  const { type, items, default: usual } = schema;
  const of = schema['x-form']?.of;
  const options =
    type === 'boolean'
      ? (['true', 'false'] as const)
      : (schema.enum ?? items?.enum ?? (of && type !== 'array' ? registered?.[of] : undefined));
  const chosen = [value ?? usual ?? []].flat().map(String);
  if (options)
    return html`<select
      class="ds-input"
      ${attributes}
      ${items && html`multiple size="${Math.min(options.length, 6)}"`}
    >
      ${!items && html`<option value="" ${chosen.length === 0 && html`selected`}>–</option>`}
      ${options.map(
        (option) =>
          html`<option value="${option}" ${chosen.includes(option) && html`selected`}>
            ${optionText(type, option)}
          </option>`,
      )}
    </select>`;
  if (schema['x-form']?.multiline)
    return html`<textarea class="ds-input" rows="4" ${attributes}>${chosen.join(' ')}</textarea>`;
  const kind = schema.format === 'date' || schema['x-form']?.placeholder === 'date' ? 'date' : 'text';
  const digits = type === 'integer' || type === 'number';
  return html`<input
    class="ds-input"
    type="${kind}"
    value="${chosen.join(' ')}"
    autocomplete="off"
    ${digits && html`inputmode="decimal"`}
    ${attributes}
  />`;
}

const optionText = (type: FieldSchema['type'], option: string): string =>
  type === 'boolean' ? ({ true: 'Yes', false: 'No' }[option] ?? option) : option;

/** A hint begins with a small letter, as on the command line; names in it stay as they are. */
const sentenceOf = (hint: string): string => {
  const text = optionsInWords(hint.replaceAll('`', ''));
  return `${/^[a-z]+[ ,]/.test(text) ? capitalised(text) : text}.`;
};

const faultText = (description: Pick<Description, 'input'>, { field: name, message }: FieldFault): string =>
  `${labelOf(description, name)} ${message}`;

const faultSummary = (description: Pick<Description, 'input'>, faults: readonly FieldFault[]): Html =>
  html`<div class="ds-error-summary" role="alert" tabindex="-1" autofocus id="faults">
    <h2 class="ds-heading" data-size="xs">Nothing was done: something has to be corrected</h2>
    <ul class="ds-list">
      ${faults.map((fault) => html`<li><a class="ds-link" href="#${fault.field}">${faultText(description, fault)}</a></li>`)}
    </ul>
  </div>`;
