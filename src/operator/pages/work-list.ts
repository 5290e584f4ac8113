import { formatTimestamp } from '../../calendar/format.ts';
import { ATTENTION } from '../../domain/attention.ts';
import type { Attention } from '../../postgres/attention.ts';
import { type Content, html, type Html } from '../../pages/html.ts';
import { way } from '../view.ts';
import { buttonForm } from './form.ts';
import { mayDo, type PageContext, wayPath } from './layout.ts';

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
export function holder(
  context: PageContext,
  { caseId, takenBy }: { readonly caseId: string; readonly takenBy: string | null },
): Content {
  const isMine = takenBy === context.visit?.actor.name;
  const name = isMine ? 'case hand-back' : 'case take';
  const label = isMine ? 'Hand back' : takenBy === null ? 'Take' : 'Take over';
  return html`${takenBy === null ? null : isMine ? html`<strong>you</strong>` : takenBy}
  ${mayDo(context, name) && buttonForm(context, way(name, { case: caseId }), label, caseId.slice(0, 8))}`;
}
