import { html, type Content, type Html } from '../html.ts';
import { layout, type CaseContext, type PageContext } from '../layout.ts';
import { pathOf, timesPath } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import type { StatusKind } from '../strings/nb.ts';
import { helpLink, linkButton, loginButton, waysOn } from '../ways-on.ts';

type Way = 'login' | 'times' | 'start' | 'help';

/** Where one goes from each page that has nothing to choose. */
const WAYS: Readonly<Record<StatusKind, readonly Way[]>> = {
  expired: ['help'],
  recalled: [],
  archived: [],
  error: ['help'],
  mismatch: ['help', 'login'],
  login_cancelled: ['login', 'help'],
  login_expired: ['login', 'help'],
  login_failed: ['login', 'help'],
  login_elsewhere: ['login', 'help'],
  login_lost: [],
  login_no_name: ['login', 'help'],
  login_level: ['login', 'help'],
  eid_unavailable: ['login', 'help'],
  session_ended: ['login', 'help'],
  logged_out: ['start'],
  stale_form: ['start', 'help'],
  not_allowed: ['start', 'help'],
  started: ['start', 'help'],
  slot_unknown: ['times', 'help'],
  unknown_case: [],
  temporarily_unavailable: ['start', 'help'],
  unexpected: ['start', 'help'],
  too_many: ['start'],
  too_much_help: ['start'],
};

/** A page that says how things stand and leads on. Without a visit, the footer says whom to call. */
export function statusPage(context: PageContext, kind: StatusKind): Html {
  const { visit } = context;
  const { title, text } = STRINGS[context.language].status[kind];
  return layout(context, {
    title,
    main: [
      text.map((paragraph) => html`<p>${paragraph}</p>`),
      visit && WAYS[kind].length > 0 && waysOn(WAYS[kind].map((way) => wayOn(way, { ...context, visit }))),
    ],
  });
}

function wayOn(way: Way, context: CaseContext): Content {
  const t = STRINGS[context.language];
  switch (way) {
    case 'login':
      return loginButton(context);
    case 'times':
      return linkButton(timesPath(context.visit.caseId), t.seeTimes, 'primary');
    case 'start':
      return linkButton(pathOf('welcome', context.visit.caseId), t.startAgain, 'primary');
    case 'help':
      return helpLink(context);
  }
}
