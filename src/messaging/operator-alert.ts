import { createHash } from 'node:crypto';
import { formatTimestamp } from '../calendar/format.ts';
import { ATTENTION, whyOf } from '../domain/attention.ts';
import type { Alert } from '../postgres/alerts.ts';
import type { WebUi } from '../temporal/web-ui.ts';
import type { Mail } from './mail.ts';
import { type Email, oneLine, renderEmail } from './texts/email.ts';

export interface OperatorAlertOptions {
  readonly mail: Mail;
  readonly operatorEmail: string;
  /** For links to what it is about; null where nobody said where that is. */
  readonly webUi: WebUi | null;
}

/** Tells operators by mail what needs them, or is over. @throws AddressRefused, DeliveryUnavailable */
export const createOperatorAlert =
  ({ mail, operatorEmail, webUi }: OperatorAlertOptions) =>
  async (alerts: readonly Alert[]): Promise<void> => {
    const [only, ...others] = alerts;
    if (!only) return;
    const email = others.length === 0 ? composeAlert(only, webUi) : composeAlerts(alerts);
    // the same for every repetition of this telling, and for no other
    const told = createHash('sha256').update(JSON.stringify(alerts)).digest('base64url');
    await mail.send({ to: operatorEmail, ...email, dedupId: `alert:${told}` });
  };

/** ` (Havgløtt Helse, 12 cases)`: what it is about, as far as it has a name. */
function aboutOf({ causeName, cases, waiting, cause }: Alert): string {
  const [first] = cases;
  if (waiting === 1 && first) {
    const names = [causeName, first.partnerName].filter((name) => name !== null);
    // as much of the id as the commands need
    return ` (${[...new Set(names.map(oneLine)), `case ${first.caseId.slice(0, 8)}`].join(', ')})`;
  }
  const what = oneLine(causeName ?? (first && cause === first.caseId ? '' : cause));
  return first ? ` (${[what, `${waiting} cases`].filter(Boolean).join(', ')})` : ` (${what})`;
}

/** The cases that are named, and how many are not. */
function idsOf({ cases, waiting }: Alert): string {
  const named = cases.map(({ caseId }) => caseId).join(', ');
  return waiting > cases.length ? `${named}, and ${waiting - cases.length} more` : named;
}

/** What is told of one. Without anything personal: it lies in a mailbox. */
export function composeAlert(alert: Alert, webUi: WebUi | null): Email {
  const { kind, cause, cases, waiting, since, overAt, answer, told } = alert;
  const { heading, whatToDo, commands } = ATTENTION[kind];
  const [first] = cases;
  const isOver = overAt !== null;
  const partner = waiting === 1 && first ? oneLine(first.partnerName) : null;
  const stillOr = told > 0 && !isOver ? 'Still: ' : '';
  const subject = `${isOver ? 'Over: ' : stillOr}${heading}${aboutOf(alert)}`;
  return renderEmail({
    subject,
    preview: whyOf(kind, answer, partner),
    from: FROM,
    main: {
      ...BARE,
      heading: isOver ? `Over: ${heading}` : heading,
      paragraphs: [
        ...(isOver ? [`This is over since ${formatTimestamp(overAt)}. Nothing is to be done.`] : []),
        whyOf(kind, answer, partner),
        `Since ${formatTimestamp(since)}.`,
        ...(isOver ? [] : [whatToDo]),
        ...(first
          ? [
              waiting === 1
                ? `The case: ${idsOf(alert)}`
                : `${waiting} cases, the longest first: ${idsOf(alert)}`,
            ]
          : []),
      ],
      commands: isOver
        ? []
        : commands.map(
            (one) =>
              `operator ${one.replace('ID', first?.caseId.slice(0, 8) ?? 'ID').replace('CAUSE', cause)}`,
          ),
      link: linkOf(alert, webUi),
    },
    also: null,
    notes: NOTES,
  });
}

/** The case, or the list of all that wait for the same. */
function linkOf({ kind, cases, waiting }: Alert, webUi: WebUi | null) {
  const [first] = cases;
  if (!first || webUi === null) return null;
  const list = waiting > 1 ? webUi.listLink(kind) : null;
  return list === null
    ? { label: 'Open the case in Temporal', url: webUi.caseLink(first.caseId) }
    : { label: 'Open these cases in Temporal', url: list };
}

/** Many at once, as after a day on which none got through: one mail, a line for each. */
function composeAlerts(alerts: readonly Alert[]): Email {
  const open = alerts.filter(({ overAt }) => overAt === null);
  const line = (alert: Alert) =>
    `${ATTENTION[alert.kind].heading}${aboutOf(alert)}, since ${formatTimestamp(alert.since)}` +
    `${alert.overAt === null ? '' : `, over since ${formatTimestamp(alert.overAt)}`}. ` +
    idsOf(alert);
  const heading = headingOf(open.length, alerts.length - open.length);
  return renderEmail({
    subject: heading,
    preview: alerts.slice(0, 3).map(line).join(' '),
    from: FROM,
    main: {
      ...BARE,
      heading,
      paragraphs: alerts.map(line),
      commands: ['operator case list --attention'],
      link: null,
    },
    also: null,
    notes: NOTES,
  });
}

function headingOf(open: number, over: number): string {
  if (open === 0) return `${over} alerts are over`;
  return open === 1 ? '1 thing needs an operator' : `${open} things need an operator`;
}

const FROM = 'Treatment booking: for the operator';
const BARE = { language: 'en', when: null, closing: [], phone: '', email: '' } as const;
const NOTES = [
  {
    language: 'en',
    text: 'You get this because OPERATOR_EMAIL names this address; again after an hour, two, four … while it lasts, and once when it is over. All that waits for somebody: operator case list --attention',
  },
] as const;
