import { randomUUID } from 'node:crypto';
import { CsvError, parse } from 'csv-parse/sync';
import { dateAt } from '../calendar/dates.ts';
import type { CaseId, PartnerId } from '../domain/ids.ts';
import { createCaseInput, type CreateCaseInput, newCase } from '../http/cases/inputs.ts';
import { findCasesOf } from '../postgres/cases.ts';
import { createCase } from '../postgres/create-case.ts';
import { createTreatmentCatalogue } from '../postgres/providers.ts';
import type { InputOf } from './descriptions/index.ts';
import { answer, type Answer, confirm, logged, type Operation } from './operation.ts';
import { type FieldFault, wrongFields } from './operator-error.ts';
import { requirePartner } from './partners.ts';
import { parts, table } from './view.ts';

/** More is a file to be split: one operation is a minute at most. */
const MOST_LINES = 2_000;
const TELL_EVERY = 100;

/** What becomes of a line. */
interface Line {
  /** Of the file, the headings being the first. */
  readonly line: number;
  readonly partnerCaseId: string | null;
  outcome: 'created' | 'there' | 'wrong' | 'waiting';
  caseId: CaseId | null;
  readonly faults: readonly FieldFault[];
  /** Null where it is wrong. */
  readonly input: CreateCaseInput | null;
}

/**
 * Hands over a case for each line that is right and not there yet. What tells that it is there is its reference and
 * treatment, whatever became of it since: so the same file can be handed over again.
 */
export async function importCases(
  operation: Operation,
  { partner, file, check }: InputOf<'partner import'>,
): Promise<Answer> {
  const { database, settings, now, say, signal } = operation;
  const partnerId = await requirePartner(operation, partner);
  const lines = await judgeLines(operation, partnerId, recordsOf(file));
  const waiting = lines.filter(({ outcome }) => outcome === 'waiting');
  if (check || waiting.length === 0) return reportOf(partner, lines);

  const { there, wrong } = countsOf(lines);
  confirm(
    operation,
    `${casesIn(waiting.length)} will be handed over for ${partner}, and their customers invited; ${there} of the file ` +
      `are there already, and ${wrong} are wrong, which --check tells more of.`,
    { undo: 'Each can be recalled, and no message taken back' },
  );
  await logged(
    operation,
    { subject: partner, note: `${waiting.length} of ${lines.length} lines` },
    async () => {
      for (const [done, line] of waiting.entries()) {
        if (signal.aborted) break;
        if (done > 0 && done % TELL_EVERY === 0) say(`${done} of ${waiting.length} are handed over.`);
        const at = now();
        const id = randomUUID() as CaseId;
        const { archiveAfterDays } = settings;
        const author = { actor: 'operator' } as const;
        const outcome = await createCase(
          database,
          newCase(line.input as CreateCaseInput, { id, partnerId, author, at, archiveAfterDays }),
        );
        line.outcome = 'created' in outcome ? 'created' : 'there';
        line.caseId = 'duplicateOf' in outcome ? outcome.duplicateOf : id;
      }
    },
  );
  return reportOf(partner, lines);
}

interface Record {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The file's records, the one of the headings first. Separated as spreadsheets do, which is by semicolons in Norway. */
function recordsOf(file: string): readonly [headings: readonly string[], records: readonly Record[]] {
  let records: readonly { readonly record: string[]; readonly info: { readonly lines: number } }[];
  try {
    records = parse(file, {
      ...{ bom: true, delimiter: [',', ';', '\t'], info: true },
      ...{ relax_column_count: true, skip_empty_lines: true, trim: true },
      // its types know of no `info`
    }) as unknown as typeof records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // its message may quote the file
    throw wrongFile(`is no CSV: line ${String(error.lines)} (${error.code})`);
  }
  const [first, ...others] = records;
  if (!first || others.length === 0) throw wrongFile('must have a line of headings, and a case below it');
  if (others.length > MOST_LINES) throw wrongFile(`may have up to ${MOST_LINES} cases: split it`);
  return [first.record, others.map(({ record, info }) => ({ line: info.lines, cells: record }))];
}

const wrongFile = (message: string) => wrongFields([{ field: 'file', message: `${message}.` }]);

async function judgeLines(
  { database, settings, now }: Operation,
  partnerId: PartnerId,
  [headings, records]: ReturnType<typeof recordsOf>,
): Promise<Line[]> {
  const offered = (await createTreatmentCatalogue(database)()).map(({ code }) => code);
  const rules = createCaseInput({ today: dateAt(now()), offered, smsCountries: settings.smsCountries });
  const known = Object.keys(rules.shape);
  const strange = headings.filter((name, i) => !known.includes(name) || headings.indexOf(name) !== i);
  if (strange.length > 0)
    throw wrongFile(
      `has columns that are no fields, or twice: ${strange.join(', ')}. Fields: ${known.join(', ')}`,
    );

  const before = new Map<string, number>();
  const lines = records.map(({ line, cells }): Line => {
    const given = Object.fromEntries(headings.flatMap((name, i) => (cells[i] ? [[name, cells[i]]] : [])));
    const judged = rules.safeParse(given, { reportInput: true });
    const faults = (judged.error?.issues ?? []).map(({ path, message, input }) => ({
      field: path.join('.'),
      message: input === undefined ? 'is required.' : message,
    }));
    if (cells.length > headings.length)
      faults.push({ field: 'file', message: `has ${cells.length} cells for ${headings.length} columns.` });
    const partnerCaseId = given['partnerCaseId'] ?? null;
    const same = judged.data && before.get(keyOf(judged.data));
    if (same !== undefined)
      faults.push({ field: 'partnerCaseId', message: `is that of line ${same}, for the same treatment.` });
    else if (judged.data) before.set(keyOf(judged.data), line);
    if (faults.length > 0 || !judged.data)
      return { line, partnerCaseId, outcome: 'wrong', caseId: null, faults, input: null };
    return { line, partnerCaseId, outcome: 'waiting', caseId: null, faults, input: judged.data };
  });

  const references = lines.flatMap(({ input }) => input?.partnerCaseId ?? []);
  const there = new Map(
    (await findCasesOf(database, partnerId, references)).map((row) => [keyOf(row), row.id]),
  );
  for (const line of lines) {
    const caseId = line.input && there.get(keyOf(line.input));
    if (caseId) Object.assign(line, { outcome: 'there', caseId });
  }
  return lines;
}

const keyOf = ({ partnerCaseId, treatmentType }: Pick<CreateCaseInput, 'partnerCaseId' | 'treatmentType'>) =>
  `${treatmentType} ${partnerCaseId}`;

const casesIn = (count: number): string => (count === 1 ? '1 case' : `${count} cases`);

function countsOf(lines: readonly Line[]) {
  const of = (wanted: Line['outcome']) => lines.filter(({ outcome }) => outcome === wanted).length;
  return { created: of('created'), there: of('there'), wrong: of('wrong'), waiting: of('waiting') };
}

const WORDS = {
  created: 'handed over',
  there: 'there already',
  wrong: 'wrong',
  waiting: 'to be handed over',
};

function reportOf(partner: string, lines: readonly Line[]): Answer {
  const counts = countsOf(lines);
  const { created, there, wrong, waiting } = counts;
  const words = `${casesIn(created)} handed over for ${partner}; ${there} were there already, ${wrong} are wrong, ${waiting} wait.`;
  const data = lines.map(({ input: _, ...line }) => line);
  const report = table<(typeof data)[number]>(
    {
      Line: 'line',
      Reference: 'partnerCaseId',
      Outcome: ({ outcome }) => WORDS[outcome],
      Case: 'caseId',
      'What is wrong': ({ faults }) => faults.map(({ field, message }) => `${field} ${message}`).join(' '),
    },
    data,
    'The file has no case.',
  );
  return answer(parts(words, report), { ...counts, data });
}
