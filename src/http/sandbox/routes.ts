import { randomUUID } from 'node:crypto';
import { addDays, dateAt, deadlineOn } from '../../calendar/dates.ts';
import { recallCase } from '../../cases/commands.ts';
import { CASE_STATUSES, type CaseStatus, caseTime } from '../../domain/case-state.ts';
import type { CaseId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { listTestMessages, orderBounce, type TestMessageRow } from '../../postgres/test-environment.ts';
import { createCase } from '../../postgres/create-case.ts';
import { forPartnerOf, partnersCase } from '../cases/partners-case.ts';
import { newCase } from '../cases/inputs.ts';
import { stateOrThrow } from '../command-result.ts';
import type { Dependencies } from '../dependencies.ts';
import { ApiError, outcomeUnknown, validationFailed } from '../errors.ts';
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
    if (action === 'advance') continue;
    add(described.SANDBOX_OPERATIONS[action], async ({ view }) => {
      requirePermitted(view, action, instant(now()));
      return show(await drive[action](view));
    });
  }

  add(described.advanceClock, async ({ view, input: { days } }) => {
    requirePermitted(view, 'advance', instant(now()));
    return show(await drive.advance(view, days));
  });

  add(described.seedCases, async ({ partnerId, author }) => {
    const [offered] = await deps.treatmentTypes();
    if (!offered) throw new ApiError('PROVIDER_UNAVAILABLE', 'No provider offers a treatment now.', {}, 60);
    const at = now();
    const seed = async (status: CaseStatus) => {
      const id = randomUUID() as CaseId;
      const input = {
        ...{
          partnerCaseId: `sandbox-${status}-${id}`,
          patientFirstName: 'Kari',
          patientLastName: 'Nordmann',
        },
        // of its own, since there is a limit to the messages to one address
        patientEmail: `kari.nordmann+${id}@example.com`,
        ...{ injuryDate: addDays(dateAt(at), -30), treatmentType: offered.code },
        bookingDeadline: addDays(dateAt(at), 14),
      };
      const { archiveAfterDays } = deps.settings;
      await createCase(database, newCase(input, { id, partnerId, author, at, archiveAfterDays }));
      return show(await drive.to[status](await read(id, partnerId)));
    };
    return { data: await Promise.all(CASE_STATUSES.map(seed)) };
  });

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

type Drive = (view: CaseView) => Promise<CaseView>;

/** Drives a case that permits it, through its real workflow. Resolves to the case as its readers see it then. */
function createSandboxActions(deps: Dependencies): Record<Exclude<SandboxAction, 'advance'>, Drive> & {
  readonly advance: (view: CaseView, days: number) => Promise<CaseView>;
  /** A new case, to each status. */
  readonly to: Record<CaseStatus, Drive>;
} {
  const { database, caseClient, now } = deps;
  const untilShown = createWaitUntilProjected(deps);
  const customer = simulateCustomer(deps, untilShown);
  const provider = simulateProvider(deps, untilShown);

  const drive: Record<Exclude<SandboxAction, 'advance'>, Drive> = {
    book: customer.book,
    'fail-transfer': customer.failTransfer,
    'request-assistance': customer.requestAssistance,
    'provider-cancel': provider.cancel,
    'pass-appointment': provider.passAppointment,

    /** Yesterday becomes the last day, and the rest is the clock's. */
    async expire(view) {
      if (view.state.status === 'deadline_expired') return view;
      const deadline = deadlineOn(addDays(dateAt(caseTime(view.state, now())), -1));
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
  const recall: Drive = async (view) => {
    stateOrThrow(
      await recallCase(deps, view, { reason: 'Tried out', author: { actor: 'partner' } }),
      forPartnerOf(view),
    );
    return untilShown(view, ({ status }) => status === 'recalled');
  };

  return {
    ...drive,

    async advance(view, days) {
      const { clockAhead = 0 } = view.state;
      const ahead = clockAhead + days * DAY_MS;
      if (ahead > described.MOST_DAYS_AHEAD * DAY_MS) {
        const left = described.MOST_DAYS_AHEAD - Math.round(clockAhead / DAY_MS);
        const message = `may be up to ${left}: the case’s clock is far ahead.`;
        throw validationFailed([{ field: 'days', code: 'too_far_ahead', message }]);
      }
      const outcome = await caseClient.signal(view, 'advanceClock', { ahead });
      if (outcome === 'unreachable') throw outcomeUnknown();
      return untilShown(view, ({ clockAhead: shown = 0, status }) => shown >= ahead || status === 'archived');
    },

    to: {
      pending_patient_action: (view) => Promise.resolve(view),
      booked: drive.book,
      deadline_expired: drive.expire,
      assistance_requested: drive['request-assistance'],
      error: drive.bounce,
      recalled: recall,
      async archived(view) {
        const recalled = await recall(view);
        stateOrThrow(await caseClient.execute(recalled, 'archive', {}, 'partner'), forPartnerOf(view));
        return untilShown(view, ({ status }) => status === 'archived');
      },
    },
  };
}

const DAY_MS = 24 * 60 * 60 * 1_000;
