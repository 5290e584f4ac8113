import { findCases, type PlainCase } from '../../postgres/operator-cases.ts';
import { readCase, type CaseView } from '../../postgres/read-cases.ts';
import { notFound, wrongUsage } from '../ending.ts';
import type { Operation } from '../operation.ts';

/** How every command says which case: for its help. */
export const CASE = [
  '<case>',
  "the case's id, at least its first 8 characters, or the partner's reference",
] as const;

/** @throws Ending when there is no such case, or more than one */
export async function findCase({ database }: Operation, text: string): Promise<CaseView> {
  const found = await findCases(database, text);
  const [only, ...others] = found;
  if (only && others.length > 0) {
    throw wrongUsage(`${found.length} cases go by that, so use the id:\n${found.map(line).join('\n')}`, {
      caseIds: found.map(({ id }) => id),
    });
  }
  const view = only && (await readCase(database, only.id));
  if (view) return view;
  throw notFound(`No case has the id or the reference "${text}". \`operator case list\` shows them.`);
}

const line = ({ id, partner_id, treatment_type, status }: PlainCase): string =>
  `  ${id}  ${partner_id}, ${treatment_type}, ${status}`;
