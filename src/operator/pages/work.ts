import { formatTimestamp } from '../../calendar/format.ts';
import { ATTENTION } from '../../domain/attention.ts';
import { type Content, type Html, html } from '../../pages/html.ts';
import type { Attention } from '../../postgres/attention.ts';
import type { PlainView } from '../cases/case-view.ts';
import type { OperationName } from '../descriptions/index.ts';
import { way, type Way } from '../view.ts';
import { buttonForm } from './form.ts';
import { describedBy, mayDo, type PageContext, wayPath, wayTitle } from './layout.ts';
import { wayHtml, wayIn } from './view.ts';

/** What `attention` answers. */
interface Work {
  readonly data: readonly Omit<Attention, 'id'>[];
  readonly total: number;
  readonly next: string | null;
}

const WHOSE = [
  [undefined, 'All'],
  ['nobody', 'Free'],
  ['me', 'Mine'],
] as const;

/** What needs somebody, what has waited longest first. @param input the filters that it was asked by */
export function workList(
  context: PageContext,
  { data, total, next }: Work,
  input: Readonly<Record<string, unknown>>,
): Content {
  const ways = html`<nav aria-label="Whose">
    <ul class="actions">
      ${WHOSE.map(
        ([takenBy, label]) =>
          html`<li>
            <a
              class="ds-link"
              href="${wayPath(way('attention', { ...input, takenBy, after: undefined }))}"
              ${input['takenBy'] === takenBy && html`aria-current="page"`}
              >${label}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
  if (total === 0)
    return html`${ways}
      <p class="empty">Nothing needs an operator.</p>`;
  const following = next === null ? null : wayPath(way('attention', { ...input, after: next }));
  return html`${ways}
    <p id="count">
      ${data.length === total ? total : `${data.length} of ${total}`}, what has waited longest first
    </p>
    <table class="rows">
      <thead>
        <tr>
          ${['What', 'Since', 'Case', 'Partner', 'Clinic', 'Who has it'].map(
            (heading) => html`<th scope="col">${heading}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${data.map((one) => row(context, one))}
      </tbody>
    </table>
    ${following && html`<p><a class="ds-link" href="${following}" rel="next">Next page</a></p>`}`;
}

function row(context: PageContext, one: Work['data'][number]): Html {
  const { kind, since, caseId, partnerCaseId, partnerId, providerId, cause, answer } = one;
  const where = caseId
    ? wayPath(way('case show', { case: caseId }))
    : providerId && mayDo(context, 'provider show')
      ? wayPath(way('provider show', { id: providerId }))
      : null;
  const what = ATTENTION[kind].heading;
  return html`<tr>
    <td data-heading="What">
      ${where ? html`<a class="ds-link" href="${where}">${what}</a>` : what}
      ${answer && html`<br /><small>${answer}</small>`}
    </td>
    <td data-heading="Since">${formatTimestamp(since)}</td>
    <td data-heading="Case">${caseId ? `${caseId.slice(0, 8)} · ${partnerCaseId ?? ''}` : cause}</td>
    <td data-heading="Partner">${partnerId ?? '–'}</td>
    <td data-heading="Clinic">${providerId ?? '–'}</td>
    <td data-heading="Who has it">${caseId ? holder(context, { ...one, caseId }) : '–'}</td>
  </tr>`;
}

/** Who has a case, and the button that changes it. */
function holder(
  context: PageContext,
  { caseId, takenBy }: { readonly caseId: string; readonly takenBy: string | null },
): Content {
  const isMine = takenBy === context.visit?.actor.name;
  const name = isMine ? 'case hand-back' : 'case take';
  const label = isMine ? 'Hand back' : takenBy === null ? 'Take' : 'Take over';
  return html`${takenBy === null ? null : isMine ? html`<strong>you</strong>` : takenBy}
  ${mayDo(context, name) && buttonForm(context, way(name, { case: caseId }), label, caseId.slice(0, 8))}`;
}

/** What stands above a case's facts: what it needs somebody for, who has it, and what can be done now. */
export function caseHead(context: PageContext, view: PlainView): Html {
  const { id, attentions, takenBy, workflowUrl } = view;
  return html`<p class="standing">
      <strong>${view.status.replaceAll('_', ' ')}</strong> · ${view.partnerName} · ${view.partnerCaseId}
      ${workflowUrl !== null && html`· <a class="ds-link" href="${workflowUrl}">Workflow in Temporal</a>`}
    </p>
    ${attentions.map((one) => attentionCard(context, view, one))}
    ${
      attentions.length > 0 &&
      html`<div class="holder">
        Who has it: ${takenBy === null && 'nobody'} ${holder(context, { caseId: id, takenBy })}
      </div>`
    }
    <nav aria-label="What can be done now">
      <ul class="actions">
        ${actionsOf(view)
          .filter(({ name, input }) => mayDo(context, name, input))
          .map(
            (one) =>
              html`<li>
                <a class="ds-button" data-variant="secondary" href="${wayPath(one)}">${wayTitle(one)}</a>
              </li>`,
          )}
      </ul>
    </nav>`;
}

/**
 * With how the case is now: where it has changed by the time it is asked for, nothing is done. What is booked may change
 * while the status stays.
 */
function asSeen({ status, revision }: PlainView, { name, input }: Way): Way {
  const { changes, input: takes } = describedBy(name);
  if (!changes || !('expectedStatus' in takes.shape)) return { name, input };
  return way(name, { ...input, expectedStatus: status, ...(status === 'booked' ? { revision } : {}) });
}

/** What can be done to it now, by the table of statuses, and by what the case is like besides. */
function actionsOf(view: PlainView): Way[] {
  const onCase = (name: OperationName) => asSeen(view, way(name, { case: view.id }));
  const ifThat = (isSo: boolean, name: OperationName) => (isSo ? [onCase(name)] : []);
  const isLost = view.attentions.some(({ kind }) => kind === 'workflow_lost' || kind === 'workflow_behind');
  const isKeptOut = view.unbound.some(({ readmittedAt }) => readmittedAt === null);
  const canBook = view.possible.some((command) => command === 'book' || command === 'change');
  return [
    way('case show', { case: view.id, reveal: true }),
    ...(canBook ? [way('case availability', { case: view.id })] : []),
    ...view.possible.map((command) => onCase(`case ${command}` as OperationName)),
    ...ifThat(isLost, 'case restart'),
    ...ifThat(view.boundAt !== null, 'case unbind'),
    ...ifThat(isKeptOut, 'case readmit'),
    way('case note', { case: view.id }),
  ];
}

function attentionCard(
  context: PageContext,
  view: PlainView,
  { kind, since, why, whatToDo }: PlainView['attentions'][number],
): Html {
  const { heading, commands } = ATTENTION[kind];
  const ways = commands.flatMap((command) => wayIn(command.replaceAll(/\bID\b/g, view.id)) ?? []);
  return html`<section class="ds-card" aria-labelledby="need-${kind}">
    <h2 class="ds-heading" data-size="2xs" id="need-${kind}">${heading}</h2>
    <p>${why} <small>Since ${formatTimestamp(since)}.</small></p>
    <p>${whatToDo}</p>
    <ol class="commands">
      ${ways.map((one) => html`<li>${wayHtml(asSeen(view, one), context)}</li>`)}
    </ol>
  </section>`;
}
