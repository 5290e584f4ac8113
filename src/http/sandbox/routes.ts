import { addDays, dateAt, deadlineOn } from '../../calendar/dates.ts';
import { instant } from '../../domain/instant.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { listTestMessages, orderBounce, type TestMessageRow } from '../../postgres/test-environment.ts';
import { forPartnerOf, partnersCase } from '../cases/partners-case.ts';
import { stateOrThrow } from '../command-result.ts';
import type { Dependencies } from '../dependencies.ts';
import { pageOf, requireOwnCursor } from '../pagination.ts';
import type { Add } from '../route.ts';
import { requirePermitted, SANDBOX_ACTIONS, type SandboxAction } from './actions.ts';
import * as described from './operations.ts';
import { createWaitUntilProjected, simulateCustomer, simulateProvider } from './simulation.ts';

/** Where partners try what their customers, providers and the calendar do (docs/contract.md §6). Not for production. */
export function sandboxRoutes(add: Add, deps: Dependencies): void {
  const { database, now } = deps;
  const { read, show } = partnersCase(deps);
  const drive = createSandboxActions(deps);

  for (const action of SANDBOX_ACTIONS) {
    add(described.SANDBOX_OPERATIONS[action], async ({ view }) => {
      requirePermitted(view, action, instant(now()));
      return show(await drive[action](view));
    });
  }

  add(described.listMessages, async ({ partnerId, query: { caseId, cursor, limit } }) => {
    const { id } = await read(caseId, partnerId);
    requireOwnCursor(cursor, id);
    const after = cursor?.number ?? 0;
    const rows = await listTestMessages(database, { caseId: id, after, limit: limit + 1 });
    return pageOf(rows, limit, {
      json: messageJson,
      cursor: ({ number }) => described.messageCursors.encode(id, number),
    });
  });
}

const messageJson = ({ case_id, kind, channel, recipient, subject, body, at }: TestMessageRow) => ({
  caseId: case_id,
  kind,
  channel,
  to: recipient,
  subject,
  text: body,
  at,
});

/** Drives a case that permits it, through its real workflow. Resolves to the case as its readers see it then. */
function createSandboxActions(
  deps: Dependencies,
): Record<SandboxAction, (view: CaseView) => Promise<CaseView>> {
  const { database, caseClient, now } = deps;
  const untilShown = createWaitUntilProjected(deps);
  const customer = simulateCustomer(deps, untilShown);
  const provider = simulateProvider(deps, untilShown);

  return {
    book: customer.book,
    'fail-transfer': customer.failTransfer,
    'request-assistance': customer.requestAssistance,
    'provider-cancel': provider.cancel,
    'pass-appointment': provider.passAppointment,

    /** Yesterday becomes the last day, and the rest is the clock's. */
    async expire(view) {
      if (view.state.status === 'deadline_expired') return view;
      const deadline = deadlineOn(addDays(dateAt(now()), -1));
      stateOrThrow(
        await caseClient.execute(view, 'moveDeadline', { deadline }, 'partner'),
        forPartnerOf(view),
      );
      return untilShown(view, ({ status }) => status === 'deadline_expired');
    },

    async 'resolve-assistance'(view) {
      stateOrThrow(await caseClient.execute(view, 'resolveAssistance', {}, 'operator'), forPartnerOf(view));
      return untilShown(view, ({ assistance }) => assistance?.resolvedAt !== null);
    },

    /** The addresses as they are now take nothing any more, which the link that is sent again finds out. */
    async bounce(view) {
      await orderBounce(database, view.id, view.state.contactability.version);
      stateOrThrow(
        await caseClient.execute(view, 'resendLink', { channel: null }, 'partner'),
        forPartnerOf(view),
      );
      return untilShown(
        view,
        ({ status, contactability }) => status === 'error' || contactability.undeliverable,
      );
    },
  };
}
