import type { CaseId } from '../domain/ids.ts';
import { readCase } from '../postgres/cases.ts';
import {
  countUnreadable,
  eraseCase,
  exportCase,
  listCasesOfPerson,
  listErasures,
  listKeyUses,
  listReturned,
  readLegalHold,
  rewrapKeys,
  setLegalHold,
} from '../postgres/personal-data.ts';
import { findCase } from './cases/current-case.ts';
import type { InputOf } from './descriptions/index.ts';
import { answer, type Answer, confirm, listed, logged, type Operation } from './operation.ts';
import { refusal } from './operator-error.ts';
import { parts, table, titled } from './view.ts';

// A person's data as a whole (docs/contract.md §9): given to them, kept, erased.

interface Whose {
  readonly case: string;
  readonly everywhere?: boolean | undefined;
}

/** @throws OperatorError when there is no such case, or it is erased */
async function casesOf(operation: Operation, { case: given, everywhere }: Whose): Promise<readonly CaseId[]> {
  const { id } = await findCase(operation, given);
  return everywhere ? listCasesOfPerson(operation.database, id) : [id];
}

/** Each case, one after the other, with an entry of its own in the log. */
async function forEach<T>(
  operation: Operation,
  caseIds: readonly CaseId[],
  noted: { readonly note?: string; readonly ticket?: string },
  work: (caseId: CaseId) => Promise<T>,
): Promise<T[]> {
  const done: T[] = [];
  for (const caseId of caseIds) done.push(await logged(operation, { caseId, ...noted }, () => work(caseId)));
  return done;
}

export async function exportPerson(operation: Operation, input: InputOf<'person export'>): Promise<Answer> {
  const { database } = operation;
  const caseIds = await casesOf(operation, input);
  const data = await forEach(operation, caseIds, { ticket: input.ticket }, async (caseId) => ({
    caseId,
    tables: await exportCase(database, caseId),
  }));
  return answer(
    parts(
      ...data.map(({ caseId, tables }) =>
        titled(
          `Case ${caseId}`,
          table(
            { What: ([name]) => name, Kept: ([, rows]) => JSON.stringify(rows) },
            Object.entries(tables),
            'Nothing.',
          ),
        ),
      ),
    ),
    { data },
  );
}

export async function erasePerson(operation: Operation, input: InputOf<'person erase'>): Promise<Answer> {
  const { database, caseClient, actor } = operation;
  const caseIds = await casesOf(operation, input);
  const obstacles = await Promise.all(
    caseIds.map(async (caseId) => {
      if ((await readCase(database, caseId))?.status !== 'archived') return `${caseId} is not archived`;
      if ((await caseClient.describe(caseId)).status === 'running') return `${caseId} is being closed`;
      return (await readLegalHold(database, caseId)) ? `${caseId} is under a legal hold` : null;
    }),
  );
  const found = obstacles.filter((obstacle) => obstacle !== null);
  if (found.length > 0)
    throw refusal(
      'NOT_ERASABLE',
      `Nothing is erased: ${found.join('; ')}. \`case recall\` and \`case archive\` close a case, \`person hold --lift\` ends a hold.`,
      { details: { obstacles: found } },
    );
  const data = await forEach(operation, caseIds, { ticket: input.ticket }, async (caseId) => ({
    caseId,
    erased: await eraseCase(database, caseId, { why: 'request', by: actor.name }),
  }));
  return listed(data, { Case: 'caseId', Erased: ({ erased }) => (erased ? 'yes' : 'no') }, 'Nothing.');
}

export async function holdPerson(operation: Operation, input: InputOf<'person hold'>): Promise<Answer> {
  const { database, actor } = operation;
  const held = input.lift !== true;
  const caseIds = await casesOf(operation, input);
  const data = await forEach(operation, caseIds, { note: input.reason }, async (caseId) => ({
    caseId,
    held,
    changed: await setLegalHold(database, caseId, held ? actor.name : null),
  }));
  return listed(
    data,
    {
      Case: 'caseId',
      'Legal hold': () => (held ? 'yes' : 'no'),
      Before: ({ changed }) => (held === changed ? 'no' : 'yes'),
    },
    'Nothing.',
  );
}

export const showErasures = async ({ database }: Operation, { limit }: InputOf<'person erasures'>) =>
  listed(
    await listErasures(database, { limit }),
    { Case: 'caseId', When: 'at', Why: 'why', By: ({ erasedBy }) => erasedBy ?? 'the service' },
    'Nothing was erased.',
  );

export async function reapplyErasures(operation: Operation): Promise<Answer> {
  const { database, actor } = operation;
  const returned = await listReturned(database);
  confirm(operation, `${returned.length} cases that were erased before will be erased again.`);
  let erased = 0;
  await logged(operation, {}, async () => {
    for (const caseId of returned)
      if (await eraseCase(database, caseId, { why: 'request', by: actor.name })) erased += 1;
  });
  const unreadable = await countUnreadable(database);
  return answer(
    parts(
      `${erased} cases are erased again.`,
      unreadable > 0
        ? `${unreadable} cases have no key and were not erased: the keys that were restored are older than they are.`
        : null,
    ),
    { erased, unreadable },
  );
}

export const showKeys = async ({ database }: Operation) =>
  listed(
    await listKeyUses(database),
    { Setting: 'setting', Id: 'id', Uses: 'uses', 'With open cases': 'withOpenCases' },
    'Nobody has logged in, and no case was sealed.',
  );

export async function rewrap(operation: Operation): Promise<Answer> {
  const rewrapped = await logged(operation, {}, () => rewrapKeys(operation.database));
  return answer(`${rewrapped} keys are wrapped by the newest master key now.`, { rewrapped });
}
