import { sql } from 'slonik';
import type { Language } from '../calendar/format.ts';
import type { CaseId } from '../domain/ids.ts';
import { nothing } from './case-row.ts';
import type { Queries } from './database.ts';

/** Notes in which language a case's customer reads, for the messages from then on. Partners see nothing of it. */
export async function rememberLanguage(queries: Queries, caseId: CaseId, language: Language): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE cases SET customer_language = ${language} WHERE id = ${caseId} AND customer_language <> ${language}`);
}
