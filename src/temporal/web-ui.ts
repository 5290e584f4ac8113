import { workflowIdOf } from '../../workflows/contract.ts';
import { type AttentionKind, NOTICED_KINDS, STATE_KINDS } from '../domain/attention.ts';
import type { CaseId } from '../domain/ids.ts';

/** Addresses in Temporal's Web UI, for whoever is told of cases. */
export interface WebUi {
  /** Of its pages, as browsers tell it. */
  readonly origin: string;
  /** A case's page, whichever of its runs is the newest. */
  caseLink(caseId: CaseId): string;
  /** The open cases that need an operator for this, most of all; null for what no workflow's attribute says. */
  listLink(kind: AttentionKind): string | null;
}

const SHOWN: readonly AttentionKind[] = [...STATE_KINDS, ...NOTICED_KINDS];

/** @param url without a trailing slash; null where this deployment does not say it */
export function createWebUi(url: string | undefined, namespace: string): WebUi | null {
  if (url === undefined) return null;
  const workflows = `${url}/namespaces/${encodeURIComponent(namespace)}/workflows`;
  return {
    origin: new URL(url).origin,
    caseLink: (caseId) => `${workflows}/${workflowIdOf(caseId)}`,
    listLink(kind) {
      // as the Web UI writes its own filters, so that they can be changed there by hand
      const query = `\`NeedsAttention\`="${kind}" AND \`ExecutionStatus\`="Running"`;
      return SHOWN.includes(kind) ? `${workflows}?${new URLSearchParams({ query }).toString()}` : null;
    },
  };
}
