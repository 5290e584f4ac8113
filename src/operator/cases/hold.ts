import { formatTimestamp } from '../../calendar/format.ts';
import type { CaseId } from '../../domain/ids.ts';
import { handBackCase, listAttention, takeCase } from '../../postgres/attention.ts';
import type { InputOf } from '../descriptions/index.ts';
import { answer, confirm, logged, type Operation } from '../operation.ts';
import { refusal } from '../operator-error.ts';
import { forCase } from './current-case.ts';

// Who works on a case, by name: at some identity providers a person's id differs between the command line and the browser.

export const take = forCase(async (operation, { id }, _: InputOf<'case take'>) => {
  const { database, actor } = operation;
  const [first] = await listAttention(database, { caseId: id, limit: 1 });
  if (!first) throw refusal('NOT_NEEDED', 'The case needs nobody, so there is nothing to take.');
  const { takenBy: from, takenAt: since } = first;
  if (from === actor.name) return held(id, actor.name, 'You have it already.', false);
  if (from !== null && since !== null)
    confirm(operation, `${from} has had this case since ${formatTimestamp(since)}. You take it over.`, {
      undo: '`case hand-back` gives it back to everybody',
    });
  await logged(operation, { caseId: id }, async () => {
    if (!(await takeCase(database, id, { by: actor.name, from }))) throw await changed(operation, id);
  });
  return held(id, actor.name, 'You have it. `case hand-back` gives it back.', true);
});

export const handBack = forCase(async (operation, { id }, _: InputOf<'case hand-back'>) => {
  const { database, actor } = operation;
  const [first] = await listAttention(database, { caseId: id, limit: 1 });
  if (!first || first.takenBy === null) return held(id, null, 'Nobody has it.', false);
  if (first.takenBy !== actor.name) throw refusal('NOT_YOURS', `${first.takenBy} has it, not you.`);
  await logged(operation, { caseId: id }, () => handBackCase(database, id, actor.name));
  return held(id, null, 'Handed back: anybody can take it.', true);
});

export const note = forCase(async (operation, { id }, { text }: InputOf<'case note'>) => {
  await logged(operation, { caseId: id, note: text }, async () => undefined);
  return answer('Noted.', { caseId: id });
});

const held = (caseId: CaseId, takenBy: string | null, words: string, isChanged: boolean) =>
  answer(words, { caseId, takenBy, changed: isChanged });

async function changed({ database }: Operation, caseId: CaseId) {
  const [first] = await listAttention(database, { caseId, limit: 1 });
  const now = first ? `${first.takenBy ?? 'nobody'} has it now` : 'the case needs nobody any more';
  return refusal('CASE_CHANGED', `Somebody was quicker, so nothing was done: ${now}.`);
}
