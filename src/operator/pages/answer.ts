import type { Request, Response } from 'express';
import { ATTENTION_KINDS } from '../../domain/attention.ts';
import { type Content, html } from '../../pages/html.ts';
import { listPartners } from '../../postgres/partners.ts';
import { listProviders } from '../../postgres/providers.ts';
import { listTreatments } from '../../postgres/treatment-types.ts';
import type { PlainView } from '../cases/case-view.ts';
import { DESCRIPTIONS } from '../descriptions/index.ts';
import { type Description, inputSchema } from '../description.ts';
import type { Answer, Service } from '../operation.ts';
import { type FieldFault, OperatorError } from '../operator-error.ts';
import { type View, type Way, way } from '../view.ts';
import { againForm, filterForm, type FormState, hidden, inputFrom, operationForm } from './form.ts';
import {
  capitalised,
  optionsInWords,
  layout,
  mayDo,
  type PageBody,
  type PageContext,
  pagePath,
  wayPath,
  wayTitle,
} from './layout.ts';
import { type SessionDeps, visitOf } from './session.ts';
import { paragraphs, tableHtml, viewHtml } from './view.ts';
import { caseHead, workList } from './work.ts';

export type Described = Description<(typeof DESCRIPTIONS)[number]['name']>;
export type Input = Record<string, unknown>;

export interface PagesDeps extends SessionDeps {
  readonly service: Service;
}

export const contextOf = ({ service }: Pick<PagesDeps, 'service'>, res: Response): PageContext => ({
  visit: visitOf(res),
  environment: service.settings.environment,
});

export const sendPage = (res: Response, status: number, context: PageContext, body: PageBody): unknown =>
  res.status(status).type('html').send(layout(context, body).toString());

/** Whether a GET may have it done: it is logged for nobody, and changes nothing. */
export const onlyLooks = ({ changes, looks, roleWith }: Described, input: Input): boolean =>
  (!changes || looks?.(input) === true) && !(roleWith && input[roleWith.field]);

export interface Asked {
  readonly input: Input;
  readonly req: Request;
  readonly res: Response;
}
export type Outcome = (Answer & { readonly said: readonly string[] }) | OperatorError | null;

/** An operation's page: its form, what it answered, or why it was not done. */
export async function answerPage(
  deps: PagesDeps,
  description: Described,
  asked: Asked,
  outcome: Outcome,
): Promise<void> {
  const { input, req, res } = asked;
  const context = contextOf(deps, res);
  const { confirm: _, ...given } = input;
  const isLook = onlyLooks(description, given);
  const state: FormState = {
    input: given,
    action: isLook ? pagePath(description.name) : req.originalUrl,
    known: inputFrom(description, req.query),
    registered: await knownIds(deps, description),
    faults: outcome instanceof OperatorError ? faultsIn(outcome) : [],
  };
  const isAnswered = outcome !== null && !(outcome instanceof OperatorError);
  const form =
    isLook && !description.changes
      ? filterForm(description, state, isAnswered)
      : operationForm(context, description, state);
  const title = wayTitle(way(description.name, given));
  if (outcome === null) {
    const main = html`<p class="lead">${optionsInWords(capitalised(description.summary))}.</p>
      ${description.more !== undefined && paragraphs(description.more, context)} ${form}`;
    sendPage(res, 200, context, { title, main });
    return;
  }
  if (outcome instanceof OperatorError) {
    sendPage(
      res,
      outcome.status,
      context,
      refusedPage(context, description, { ...asked, input: given }, outcome, form),
    );
    return;
  }
  const { view, result, said } = outcome;
  const notes = said.map((line) => html`<p class="said">${line}</p>`);
  if (description.name === 'case show') {
    const shown = result as PlainView & { readonly personal?: unknown };
    // whose case it is comes first, where that was asked for
    const [plain = view, personal = null] =
      shown.personal && typeof view === 'object' && 'parts' in view ? view.parts : [];
    const main = [
      ...[notes, personal && viewHtml(personal, context), caseHead(context, shown)],
      viewHtml(besideHead(plain), context),
    ];
    sendPage(res, 200, context, { title: `Case ${shown.id.slice(0, 8)}`, main });
    return;
  }
  const body =
    description.name === 'attention'
      ? workList(context, result as Parameters<typeof workList>[1], given)
      : viewHtml(view, context);
  if (isLook) {
    sendPage(res, 200, context, { title, main: [form, notes, body, onward(context, description, given)] });
    return;
  }
  const news = { color: 'success', text: html`<p>Done.</p>` } as const;
  sendPage(res, 200, context, { title, news, main: [notes, body, onward(context, description, given)] });
}

/** Without what stands above it already. */
const besideHead = (view: View): View =>
  typeof view === 'object' && 'parts' in view
    ? { parts: view.parts.map(besideHead) }
    : typeof view === 'object' && 'facts' in view
      ? { facts: view.facts.filter(([name]) => !(IN_HEAD as readonly string[]).includes(name)) }
      : view;
const IN_HEAD = [
  'Partner',
  'Reference',
  'Status',
  'Possible',
  'Workflow',
  'Taken by',
  ...ATTENTION_KINDS,
] as const;

const faultsIn = ({ code, details }: OperatorError): readonly FieldFault[] =>
  code === 'VALIDATION_FAILED' ? (details['fields'] as readonly FieldFault[]) : [];

/** Why it was not done, and how to go on: to say that it is meant, to choose, to correct, or to try again. */
function refusedPage(
  context: PageContext,
  description: Described,
  { input, req }: Asked,
  { code, message, details, view }: OperatorError,
  form: Content,
): PageBody {
  const title = wayTitle(way(description.name, input));
  const isLook = onlyLooks(description, input);
  const again = (more: Content) =>
    againForm(context, { input, more, action: req.originalUrl, method: isLook ? 'get' : 'post' });
  const back = onward(context, description, input);
  const text = [
    paragraphs(message, context),
    view !== null && code !== 'CHOICE_REQUIRED' && viewHtml(view, context),
  ];
  switch (code) {
    case 'VALIDATION_FAILED':
      return { title, main: [form, back] };
    case 'CONFIRMATION_REQUIRED': {
      const sure = html`${hidden('confirm', details['confirm'])}
        <div class="buttons">
          <button class="ds-button" data-variant="primary" data-color="danger">${title}</button>
        </div>`;
      return { title: `${title}?`, news: { color: 'warning', text }, main: [again(sure), back] };
    }
    case 'CHOICE_REQUIRED': {
      const field = String(details['field']);
      const options = details['options'] as readonly (string | number)[];
      const choose = (row: number) =>
        html`<button
          class="ds-button"
          data-variant="secondary"
          name="${field}"
          value="${options[row]}"
          aria-label="Choose ${row + 1}"
        >
          Choose
        </button>`;
      const chosen = [...tablesIn(view)].map((one) => tableHtml(one, context, choose));
      return { title, main: [html`<p>Several are meant, so choose one.</p>`, again(chosen), back] };
    }
    case 'GRANT_REQUIRED':
      return { title, news: { color: 'info', text }, main: back };
    default: {
      const news = { color: 'danger', text } as const;
      return { title: `${title}: not done`, news, main: [back, !LOOK_FIRST.has(code) && form] };
    }
  }
}

/** After these the same form would not do: whoever saw an old page looks again, and decides again. */
const LOOK_FIRST = new Set([
  'CASE_CHANGED',
  'SENT_TWICE',
  'OUTCOME_UNKNOWN',
  'ACTION_NOT_ALLOWED',
  'APPOINTMENT_STARTED',
]);

function* tablesIn(view: View | null): Generator<Parameters<typeof tableHtml>[0]> {
  if (view === null || typeof view === 'string') return;
  if ('parts' in view) for (const part of view.parts) yield* tablesIn(part);
  else if ('headings' in view) yield view;
}

const CHECKS = [{}, { check: true }, { check: true, write: true }];

/** Where to go from an operation: to what it is about, to what else can be done there, and to lists. */
function onward(context: PageContext, { name }: Described, input: Input): Content {
  const { case: caseId, partner, id, email } = input;
  const [noun = ''] = name.split(' ');
  const here = wayTitle(way(name, input));
  const about: Way[] = [
    ...(caseId === undefined ? [] : [way('case show', { case: caseId })]),
    ...(partner === undefined || noun === 'attention'
      ? []
      : [way('key list', { partner }), way('user list', { partner })]),
    ...(noun === 'provider' && id !== undefined
      ? CHECKS.map((check) => way('provider show', { id, ...check }))
      : []),
    ...siblings(name, noun === 'partner' || noun === 'provider' ? { id } : { partner, email }),
  ];
  const possible = about.filter((one) => mayDo(context, one.name, one.input) && wayTitle(one) !== here);
  return (
    possible.length > 0 &&
    html`<nav aria-label="From here">
      <ul class="actions">
        ${[...new Map(possible.map((one) => [wayTitle(one), one])).values()].map(
          (one) => html`<li><a class="ds-link" href="${wayPath(one)}">${wayTitle(one)}</a></li>`,
        )}
      </ul>
    </nav>`
  );
}

/** The other operations on the same partner, user, key, clinic or treatment; those on a case are on its page. */
function siblings(name: Described['name'], input: Input): Way[] {
  const [noun = ''] = name.split(' ');
  if (noun === 'case') return [];
  return DESCRIPTIONS.filter((one) => one.name !== name && one.name.startsWith(`${noun} `)).flatMap((one) => {
    const { properties, required = [] } = inputSchema(one);
    const known = Object.entries(input).filter(
      ([field, value]) => field in properties && value !== undefined,
    );
    const isKnown = (field: string) =>
      known.some(([other]) => other === field) || !properties[field]?.['x-form']?.positional;
    const isEnough = / (add|create|list)$/.test(one.name) || required.every(isKnown);
    return isEnough ? [way(one.name, Object.fromEntries(known))] : [];
  });
}

/** What is registered, where a field asks for one of it. */
async function knownIds(
  { service: { database } }: PagesDeps,
  description: Described,
): Promise<Record<string, string[]>> {
  const asked = new Set(
    Object.values(inputSchema(description).properties).map((field) => field['x-form']?.of),
  );
  return {
    ...(asked.has('partner') && { partner: (await listPartners(database)).map(({ id }) => id) }),
    ...(asked.has('provider') && { provider: (await listProviders(database)).map(({ id }) => id) }),
    ...(asked.has('treatment') && { treatment: (await listTreatments(database)).map(({ code }) => code) }),
  };
}
