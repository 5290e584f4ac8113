import type { Rig } from '../rig.ts';
import { after, kariAt, type Seen } from './ways.ts';

/** What the partner has done. */
const afterPartner = (actions: readonly string[], title: Seen['title']): Seen => ({
  title,
  reach: async (rig, look) => kariAt(rig, look, 'welcome', await partnersCaseId(rig, actions)),
});
async function partnersCaseId(rig: Rig, actions: readonly string[]): Promise<string> {
  const { id } = await rig.newCase();
  for (const action of actions) await rig.service.partner.post(`/cases/${id}/${action}`);
  return id;
}

/** Where a case stands when there is nothing to choose. */
export const caseStatus: Readonly<Record<string, Seen>> = {
  expired: after(['expire'], (t) => t.status.expired.title),
  recalled: afterPartner(['recall'], (t) => t.status.recalled.title),
  archived: afterPartner(['recall', 'archive'], (t) => t.status.archived.title),
  'refused by the clinic': after(['fail-transfer'], (t) => t.status.transfer_refused.title),
};
