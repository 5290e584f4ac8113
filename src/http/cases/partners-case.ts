import { parseCaseId, type PartnerId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import { forPartner } from '../../domain/permit.ts';
import type { Action } from '../../domain/transitions.ts';
import { type CaseView, readCase } from '../../postgres/cases.ts';
import type { Dependencies } from '../dependencies.ts';
import { caseNotFound } from '../errors.ts';
import { caseJson } from './case-json.ts';

/** A partner's way to one of its cases. */
export const partnersCase = ({ asPartner, settings, now }: Dependencies) => ({
  /** @throws CASE_NOT_FOUND, the same for another partner's case, an unknown one and what is no id */
  read: async (id: string, partnerId: PartnerId): Promise<CaseView> => {
    const caseId = parseCaseId(id);
    const view = caseId && (await readCase(asPartner(partnerId), caseId));
    if (view?.partner_id !== partnerId) throw caseNotFound();
    return view;
  },

  show: (view: CaseView) => caseJson(view, settings.publicUrl, instant(now())),
});

/** Of all that anybody might do to the case, what its partner may. */
export const forPartnerOf =
  ({ is_bound }: CaseView) =>
  (allowed: readonly Action[]): string[] =>
    forPartner(allowed, is_bound);
