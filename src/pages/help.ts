import { randomUUID } from 'node:crypto';
import type { Router } from 'express';
import { HELP_MESSAGE_LETTERS } from '../domain/limits.ts';
import { isOpen } from '../domain/next-steps.ts';
import { createCustomerService, lacksNumber } from '../http/booking/customer-service.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { ApiError } from '../http/errors.ts';
import { callablePhone, text } from '../http/fields.ts';
import { type AnswerWanted, HELPER_RELATIONS } from '../postgres/case-texts.ts';
import type { CaseView } from '../postgres/cases.ts';
import type { Strings } from '../strings/catalogue.ts';
import { STRINGS } from '../strings/strings.ts';
import { buttonRow, hiddenField, linkButton, radios } from './controls.ts';
import type { Form } from './forms.ts';
import { type Content, html, type Html } from './html.ts';
import { type CaseContext, layout } from './layout.ts';
import { helpForAnotherPath, pathOf, ROUTES } from './paths.ts';
import { statusPage } from './status.ts';
import type { Visits } from './visits.ts';

/** Asking for help, without a login too: who can not log in needs it most, and so does who books for another. */
export function helpRoutes(router: Router, deps: Dependencies, visits: Visits): void {
  const service = createCustomerService(deps);
  router.get(ROUTES.help, async (req, res) => {
    const { view, context } = await visits.open(req, res);
    const empty = {
      typed: {},
      faults: [],
      formId: randomUUID(),
      isForAnother: req.query['for'] === 'another',
    };
    if (req.query['sent'] === '1') visits.show(res, helpReceivedPage(context, isOpen(view.state)));
    else visits.show(res, helpPage(context, empty));
  });

  router.post(ROUTES.help, async (req, res) => {
    await deps.limits.messagePages(req, res);
    const { view, isOwner, context } = await visits.open(req, res);
    const form = visits.readForm(req);
    const { help, message, answer } = readHelpForm(form, view);
    const here = help.isForAnother ? helpForAnotherPath(view.id) : pathOf('help', view.id);
    const language = visits.languages.choose(form, res);
    if (language !== null) {
      const inLanguage = { ...context, here, language, t: STRINGS[language] };
      visits.show(res, helpPage(inLanguage, { ...help, faults: [] }));
      return;
    }
    if (help.faults.length > 0) {
      visits.show(res, helpPage({ ...context, here }, help), 400);
      return;
    }
    try {
      await service.requestAssistance(view, {
        ...answer,
        message: message === '' ? null : message,
        formId: help.formId,
      });
      res.redirect(303, `${pathOf('help', view.id)}?sent=1`);
    } catch (error) {
      // a stranger is not told how the case stands, by a refusal neither
      if (!(error instanceof ApiError) || error.code !== 'ACTION_NOT_ALLOWED' || isOwner) throw error;
      visits.show(res, statusPage(context, 'help_not_possible'), 400);
    }
  });
}

const FORM_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const INTERPRETER_LETTERS = 50;
const NAME_LETTERS = 100;

function readHelpForm(form: Form, view: CaseView) {
  const typedIn = (name: string) =>
    typeof form[name] === 'string' ? form[name].replaceAll('\0', '').trim() : '';
  const isForAnother = typedIn('for') === 'another';
  // a form's lines end in two characters, of which nobody typed the first
  const message = typedIn('message').replaceAll('\r\n', '\n');
  const [contact, phone, interpreter, name] = ['preferredContact', 'phone', 'interpreter', 'name'].map(
    typedIn,
  );
  const oneOf = <T extends string>(field: string, values: readonly T[]): T | null =>
    values.find((value) => value === typedIn(field)) ?? null;

  // whoever asks for another is called: there is much to settle
  const preferredContact = isForAnother ? 'phone' : oneOf('preferredContact', ['phone', 'email'] as const);
  const number = phone ? callablePhone.safeParse(withCountry(phone)) : null;
  const relation = oneOf('relation', HELPER_RELATIONS);
  const answer: AnswerWanted = {
    preferredContact,
    phone: number?.data ?? null,
    bestTime: oneOf('bestTime', ['morning', 'afternoon'] as const),
    interpreter: interpreter || null,
    helper: isForAnother && name && relation ? { name, relation } : null,
  };

  const isWrong: Readonly<Record<HelpFault, boolean>> = {
    name_wrong: isForAnother && !text(NAME_LETTERS).safeParse(name).success,
    relation_missing: isForAnother && relation === null,
    message_too_long: message.length > HELP_MESSAGE_LETTERS,
    contact_unknown: !isForAnother && contact !== '' && preferredContact === null,
    phone_missing: !phone && (isForAnother || lacksNumber(view, answer)),
    phone_wrong: number?.success === false,
    interpreter_wrong: !!interpreter && !text(INTERPRETER_LETTERS).safeParse(interpreter).success,
  };
  const faults = HELP_FAULTS.filter((fault) => isWrong[fault]);
  const formId = FORM_ID.test(typedIn('formId')) ? typedIn('formId') : randomUUID();
  const { bestTime } = answer;
  const typed = { message, preferredContact, phone, bestTime, interpreter, name, relation };
  return { message, answer, help: { typed, faults, formId, isForAnother } satisfies Help };
}

/** People in Norway leave out their own country's prefix. */
const withCountry = (phone: string): string => {
  const digits = phone.replaceAll(/\s/g, '');
  return /^\d{8}$/.test(digits) ? `+47${digits}` : phone;
};

export interface Help {
  /** What was typed before, so that nothing must be typed again. */
  readonly typed: Typed;
  readonly faults: readonly HelpFault[];
  /** Fresh for each page, so that the same form sent twice is one request. */
  readonly formId: string;
  /** Who asks is not the customer, but a parent, a guardian or somebody else who helps. */
  readonly isForAnother: boolean;
}

type Typed = {
  readonly [
    field in 'message' | 'preferredContact' | 'phone' | 'bestTime' | 'interpreter' | 'name' | 'relation'
  ]?: string | null | undefined;
};

export type HelpFault = keyof Strings['help']['faults'];

/** The element that each is about, in the order in which they stand on the page. */
const FIELD_OF: Readonly<Record<HelpFault, string>> = {
  name_wrong: 'name',
  relation_missing: 'relation-parent',
  message_too_long: 'message',
  contact_unknown: 'preferredContact-phone',
  phone_missing: 'phone',
  phone_wrong: 'phone',
  interpreter_wrong: 'interpreter',
};
const HELP_FAULTS = Object.keys(FIELD_OF) as HelpFault[];

/** The form's id. */
const FORM = 'help';

export function helpPage(context: CaseContext, help: Help): Html {
  const { help: t, back } = context.t;
  const { visit } = context;
  const { typed, isForAnother } = help;
  const { field, line, choice } = helpControls(help, t);
  return layout(context, {
    title: isForAnother ? t.another.title : t.title,
    hasFaults: help.faults.length > 0,
    keeps: FORM,
    main: html`${help.faults.length > 0 && errorSummary(help, t)}
      ${isForAnother ? forAnother(t) : html`<p>${t.lead} ${visit.customer === null && t.noLogin}</p>`}
      <p>${t.who({ partner: visit.partnerName })}</p>
      <form method="post" action="${pathOf('help', visit.caseId)}" id="${FORM}" novalidate>
        ${hiddenField('_token', context.token)} ${hiddenField('formId', help.formId)}
        ${
          isForAnother && [
            hiddenField('for', 'another'),
            line('name', t.another.name, { autocomplete: 'name' }),
            choice(
              'relation',
              t.another.relation,
              HELPER_RELATIONS.map((relation) => [relation, t.another.relations[relation]]),
            ),
          ]
        }
        ${field(
          'message',
          t.message,
          (attributes) => html`<textarea class="ds-input" rows="6" ${attributes}>${typed.message}</textarea>`,
          t.hint({ letters: HELP_MESSAGE_LETTERS }),
        )}
        ${
          !isForAnother &&
          choice('preferredContact', t.contact, [
            ['phone', t.phone],
            ['email', t.email],
            ['', t.either],
          ])
        }
        ${line('phone', isForAnother ? t.another.phone : t.number, {
          ...{ type: 'tel', autocomplete: 'tel', hint: isForAnother ? null : t.numberHint },
        })}
        ${choice('bestTime', t.bestTime, [
          ['', t.anyTime],
          ['morning', t.morning],
          ['afternoon', t.afternoon],
        ])}
        ${line('interpreter', t.interpreter, { hint: t.interpreterHint })}
        ${buttonRow(
          html`<button class="ds-button" data-variant="primary">${t.send}</button>`,
          linkButton(pathOf('welcome', visit.caseId), back),
        )}
      </form>
      ${
        !isForAnother &&
        html`<h2 class="ds-heading" data-size="xs">${t.another.title}</h2>
          <p><a class="ds-link" href="${helpForAnotherPath(visit.caseId)}">${t.another.link}</a></p>`
      }`,
  });
}

const forAnother = ({ another: t }: Strings['help']): Content => t.text.map((part) => html`<p>${part}</p>`);

/** Each with what was typed before, and with what is wrong with it. */
function helpControls(help: Help, t: Strings['help']) {
  const faultOf = (name: keyof Typed) => {
    const wrong = help.faults.find((one) => FIELD_OF[one].replace(/-.*/, '') === name);
    const id = `${name}-fault`;
    return wrong && { id, text: fault(id, faultText(wrong, help, t)) };
  };

  /** @param input takes its id and name, and what describes it */
  const field = (
    name: keyof Typed,
    label: string,
    input: (attributes: Html) => Html,
    hint: string | null = null,
  ): Html => {
    const wrong = faultOf(name);
    const described = [hint !== null && `${name}-hint`, wrong?.id].filter(Boolean).join(' ');
    return html`<div class="ds-field">
      <label class="ds-label" for="${name}">${label}</label>
      ${hint !== null && html`<p id="${name}-hint" data-field="description">${hint}</p>`} ${wrong?.text}
      ${input(
        html`id="${name}" name="${name}" ${described !== '' && html`aria-describedby="${described}"`}
        ${wrong && html`aria-invalid="true"`}`,
      )}
    </div>`;
  };

  return {
    field,

    line: (
      name: keyof Typed,
      label: string,
      {
        type = 'text',
        autocomplete,
        hint = null,
      }: { type?: string; autocomplete?: string; hint?: string | null },
    ): Html =>
      field(
        name,
        label,
        (attributes) =>
          html`<input
            class="ds-input"
            type="${type}"
            ${autocomplete && html`autocomplete="${autocomplete}"`}
            value="${help.typed[name]}"
            ${attributes}
          />`,
        hint,
      ),

    choice: (name: keyof Typed, legend: string, options: Parameters<typeof radios>[1]): Html =>
      radios({ name, legend, chosen: help.typed[name] ?? '' }, options, faultOf(name)),
  };
}

function faultText(kind: HelpFault, { typed }: Help, { faults }: Strings['help']): string {
  const letters = HELP_MESSAGE_LETTERS;
  return kind === 'message_too_long'
    ? faults.message_too_long({ letters, over: (typed.message?.length ?? 0) - letters })
    : faults[kind];
}

const fault = (id: string, text: string): Html =>
  html`<p class="ds-validation-message" data-color="danger" id="${id}">${text}</p>`;

/** What is wrong, all of it at once, each with a link to where it is mended; the focus is here. */
const errorSummary = (help: Help, t: Strings['help']): Html =>
  html`<div class="ds-error-summary" role="alert" tabindex="-1" autofocus id="faults">
    <h2 class="ds-heading" data-size="xs">${t.problem}</h2>
    <ul class="ds-list">
      ${help.faults.map(
        (kind) => html`<li><a class="ds-link" href="#${FIELD_OF[kind]}">${faultText(kind, help, t)}</a></li>`,
      )}
    </ul>
  </div>`;

/** @param canBook whether the case can be booked now, which whoever has the link may know */
export function helpReceivedPage(context: CaseContext, canBook: boolean): Html {
  const { caseId } = context.visit;
  const { helpReceived: t, startAgain } = context.t;
  return layout(context, {
    title: t.title,
    news: { color: 'success', text: html`<p>${t.receipt}</p>` },
    main: html`<h2 class="ds-heading" data-size="xs">${t.next}</h2>
      <p>${t.lead}</p>
      ${canBook && html`<p>${t.canBook}</p>`}
      ${buttonRow(linkButton(pathOf('welcome', caseId), canBook ? t.book : startAgain, 'primary'))}`,
  });
}
