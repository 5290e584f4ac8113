import {
  buttonRow,
  type ButtonVariant,
  callButton,
  helpLink,
  linkButton,
  loginButton,
  otherLoginButton,
} from './controls.ts';
import { type Content, html, type Html } from './html.ts';
import { type CaseContext, layout, type PageContext } from './layout.ts';
import { pathOf, timesPath } from './paths.ts';
import type { StatusKind } from '../strings/catalogue.ts';

type NextStep = 'again' | 'login' | 'other_login' | 'times' | 'start' | 'help' | 'call';

/** Where one goes from each page that has nothing to choose; the first one is what most people want. */
const NEXT_STEPS: Readonly<Record<StatusKind, readonly NextStep[]>> = {
  expired: ['help'],
  recalled: ['call'],
  archived: ['call'],
  transfer_refused: ['help'],
  error: ['help'],
  not_booked: ['again', 'times', 'help'],
  not_changed: ['again', 'times', 'help'],
  not_cancelled: ['again', 'start', 'help'],
  provider_away: ['again', 'times', 'help'],
  mismatch: ['help', 'other_login'],
  yours: ['start', 'help'],
  login_cancelled: ['login', 'help'],
  login_expired: ['login', 'help'],
  login_failed: ['login', 'help'],
  login_elsewhere: ['login', 'help'],
  login_lost: ['call'],
  login_no_name: ['login', 'help'],
  login_level: ['login', 'help'],
  eid_unavailable: ['login', 'help'],
  session_ended: ['login', 'help'],
  logged_out: ['login', 'start'],
  stale_form: ['start', 'help'],
  not_allowed: ['start', 'help'],
  started: ['call', 'start', 'help'],
  slot_unknown: ['times', 'help'],
  help_not_possible: ['call', 'start'],
  unknown_case: ['call'],
  unknown_page: ['start', 'help'],
  temporarily_unavailable: ['again', 'start', 'help'],
  unexpected: ['again', 'start', 'help'],
  too_long: ['help'],
  too_many: ['start', 'call'],
  too_much_help: ['start', 'call'],
};

/**
 * A page that says how things stand and leads on: without a visit, to the telephone.
 *
 * @param again the address of what may be tried again
 */
export function statusPage(context: PageContext, kind: StatusKind, { again }: { again?: string } = {}): Html {
  const { visit } = context;
  const { title, text } = statusWords(context, kind);
  const ways = NEXT_STEPS[kind].filter((way) =>
    way === 'again' ? again !== undefined : way === 'call' || visit !== null,
  );
  return layout(context, {
    title,
    main: [
      text.map((paragraph) => html`<p>${paragraph}</p>`),
      ways.length > 0 &&
        buttonRow(
          ways.map((way, i) => {
            const weight = i === 0 ? 'primary' : 'secondary';
            if (way === 'again') return linkButton(again ?? '', context.t.times.tryAgain, weight);
            if (way === 'call') return callButton(context, weight);
            return visit && nextStepButton(way, { ...context, visit }, weight);
          }),
        ),
    ],
  });
}

/** Who has recalled a case is named. */
function statusWords(
  { t, visit }: PageContext,
  kind: StatusKind,
): { title: string; text: readonly string[] } {
  if (kind !== 'recalled') return t.status[kind];
  const partner = visit?.partnerName ?? '';
  return { title: t.status.recalled.title({ partner }), text: t.status.recalled.text({ partner }) };
}

function nextStepButton(
  way: Exclude<NextStep, 'again' | 'call'>,
  context: CaseContext,
  weight: ButtonVariant,
): Content {
  const { t, visit } = context;
  switch (way) {
    case 'login':
      return loginButton(context, visit.customer ? t.loginAgain : t.login, { weight, back: context.here });
    case 'other_login':
      return otherLoginButton(context, weight);
    case 'times':
      return linkButton(timesPath(visit.caseId), t.seeTimes, weight);
    case 'start':
      return linkButton(pathOf('welcome', visit.caseId), t.startAgain, weight);
    case 'help':
      return helpLink(context, weight);
  }
}
