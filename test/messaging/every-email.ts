import { ALERT_KINDS, MESSAGE_KINDS } from '../../src/domain/events.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import { composeAlert } from '../../src/messaging/operator-alert.ts';
import { composeEmail } from '../../src/messaging/texts/email.ts';
import { LONG } from './messages.ts';

const caseId = '6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d' as CaseId;

/** The HTML of every e-mail there is, by name, with a long address and a long name in it. */
export const EVERY_EMAIL: Readonly<Record<string, string>> = Object.fromEntries([
  ...MESSAGE_KINDS.map((kind) => [kind, composeEmail(kind, LONG, 'nb').html]),
  ...ALERT_KINDS.map((kind) => {
    const caseLink = `http://localhost:8233/namespaces/default/workflows/case-${caseId}`;
    const { partnerName } = LONG;
    return [`operator-${kind}`, composeAlert({ kind, caseId, partnerName, caseLink, dedupId: kind }).html];
  }),
]);
