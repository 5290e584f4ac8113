import { dateAt, datePlus } from '../../calendar/dates.ts';
import { deadlineOn } from '../../calendar/deadline.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import { orderBounce } from '../../postgres/trial-orders.ts';
import { moveDeadline, resendLink, resolveAssistance, type Ask } from '../../../workflows/contract.ts';
import { act, type Wished } from '../act.ts';
import { refused } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import { forPartners } from '../partners-case.ts';
import { playCustomer } from './customer-side.ts';
import type { SandboxAction } from './permitted.ts';
import { playProvider } from './provider-side.ts';
import { createUntilShown } from './until-shown.ts';

/** Drives a case that permits it, through its real workflow. Resolves to the case as its readers see it then. */
export function createDrive(
  deps: Dependencies,
): Record<SandboxAction, (view: CaseView) => Promise<CaseView>> {
  const { database, now } = deps;
  const untilShown = createUntilShown(deps);
  const customer = playCustomer(deps, untilShown);
  const provider = playProvider(deps, untilShown);

  const grant = async <A extends Ask>(view: CaseView, wished: Wished<A>): Promise<void> => {
    const refusal = await act(deps, view, wished);
    if (refusal) throw refused(refusal, forPartners);
  };

  return {
    book: customer.book,
    'fail-transfer': customer.failTransfer,
    'request-assistance': customer.requestAssistance,
    'provider-cancel': provider.cancel,
    'pass-appointment': provider.passAppointment,

    /** Yesterday becomes the last day, and the rest is the clock's. */
    async expire(view) {
      if (view.state.status === 'deadline_expired') return view;
      const deadline = deadlineOn(datePlus(dateAt(now()), -1));
      await grant(view, {
        update: moveDeadline,
        wish: { deadline },
        action: 'moveDeadline',
        actor: 'partner',
      });
      return untilShown(view, ({ status }) => status === 'deadline_expired');
    },

    async 'resolve-assistance'(view) {
      const action = 'resolveAssistance';
      await grant(view, { update: resolveAssistance, wish: {}, action, actor: 'operator' });
      return untilShown(view, ({ assistance }) => assistance?.resolvedAt !== null);
    },

    /** The addresses as they are now take nothing any more, which the link that is sent again finds out. */
    async bounce(view) {
      await orderBounce(database, view.id, view.state.reach.version);
      const wish = { channel: null };
      await grant(view, { update: resendLink, wish, action: 'resendLink', actor: 'partner' });
      return untilShown(view, ({ status, undeliverable }) => status === 'error' || undeliverable);
    },
  };
}
