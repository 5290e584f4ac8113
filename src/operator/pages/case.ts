import { formatTimestamp } from '../../calendar/format.ts';
import { ATTENTION } from '../../domain/attention.ts';
import { html, type Html } from '../../pages/html.ts';
import type { PlainView } from '../cases/case-view.ts';
import type { OperationName } from '../descriptions/index.ts';
import { type Way, way } from '../view.ts';
import { describedBy, mayDo, type PageContext, wayPath, wayTitle } from './layout.ts';
import { wayHtml, wayIn } from './view.ts';
import { holder } from './work-list.ts';

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
