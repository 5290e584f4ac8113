import { instant } from '../../domain/instant.ts';
import { sentTrialMessages, type TrialMessageRow } from '../../postgres/trial-messages.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireOwn } from '../inputs/page.ts';
import { messageCursor } from '../inputs/sandbox.ts';
import type { Add } from '../operation.ts';
import * as described from '../operations/sandbox.ts';
import { partnersCase } from '../partners-case.ts';
import { createDrive } from '../sandbox/drive.ts';
import { requirePermitted, SANDBOX_ACTIONS } from '../sandbox/permitted.ts';

/** Where partners try what their customers, providers and the calendar do (contract §6). Not for production. */
export function sandboxRoutes(add: Add, deps: Dependencies): void {
  const { database, now } = deps;
  const { read, show } = partnersCase(deps);
  const drive = createDrive(deps);

  for (const action of SANDBOX_ACTIONS) {
    add(described.DRIVES[action], async ({ param, res, body }) => {
      const view = await read(param('caseId'), res);
      await body();
      requirePermitted(view.state, action, instant(now()));
      return show(await drive[action](view));
    });
  }

  add(described.listMessages, async ({ res, query }) => {
    const { caseId, cursor, limit } = await query();
    const { id } = await read(caseId, res);
    requireOwn(cursor, id);
    const after = cursor?.number ?? 0;
    const rows = await sentTrialMessages(database, { caseId: id, after, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      data: page.map(messageJson),
      nextCursor: rows.length > limit && last ? messageCursor(id, last.number) : null,
    };
  });
}

const messageJson = ({ case_id, kind, channel, recipient, subject, body, at }: TrialMessageRow) => ({
  caseId: case_id,
  kind,
  channel,
  to: recipient,
  subject,
  text: body,
  at,
});
