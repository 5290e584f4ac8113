import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { type About, columnsOf, type Table, TABLES } from '../../src/postgres/columns.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, 'docs/privacy/record-of-processing.md');
const PRIVILEGES = join(ROOT, 'migrations/1763683200002_privileges.sql');
const [BEGIN, END] = ['<!-- begin: npm run papers -->', '<!-- end: npm run papers -->'];

const PEOPLE: Readonly<Record<Exclude<About, 'nobody'>, string>> = {
  customer: 'Customers: who was injured, and is to be treated',
  user: "Partners' employees, who manage keys",
  operator: 'Operators, and auditors',
};
const PROCESSES: Readonly<Record<string, string>> = {
  booking_api: 'api',
  booking_worker: 'worker',
  booking_operator: 'operator-api',
  booking_auditor: 'auditors',
};

/** Which processes may read which columns, as the roles of the database are let; the owner, who migrates, may all. */
export function readersOf(privileges: string): (table: string, column: string) => readonly string[] {
  const grants = [
    ...privileges.replace(/--.*$/gm, '').matchAll(/GRANT\s+(SELECT[^;]*?)\s+ON\s+([^;]*?)\s+TO\s+([^;]*);/g),
  ];
  const lists = (text: string) => text.split(',').map((name) => name.trim());
  const rules = grants.map(([, what = '', tables = '', roles = '']) => {
    const [, columns] = /^SELECT\s*\(([^)]*)\)/.exec(what) ?? [];
    return {
      tables: lists(tables),
      roles: lists(roles),
      columns: columns === undefined ? null : lists(columns),
    };
  });
  return (table, column) =>
    Object.entries(PROCESSES).flatMap(([role, process]) =>
      rules.some(
        (rule) =>
          rule.tables.includes(table) &&
          rule.roles.includes(role) &&
          (rule.columns === null || rule.columns.includes(column)),
      )
        ? [process]
        : [],
    );
}

function tableOf(person: Exclude<About, 'nobody'>, readers: ReturnType<typeof readersOf>): string {
  const rows = Object.entries(TABLES).flatMap(([name, table]) => {
    const own = columnsOf(table).filter(({ about }) => about === person);
    if (own.length === 0) return [];
    const read = new Set(own.flatMap((column) => readers(name, column.name)));
    return [
      row(
        name,
        table,
        own.map(({ name: column, what }) => {
          const within = Object.values(table.sealed?.[column] ?? {}).join(', ');
          return `${what}${within && `: ${within}`} (\`${column}\`)`;
        }),
        [...read],
      ),
    ];
  });
  return [
    '| Where | What it is | Kept of them | Why | How long | Read by |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

const row = (
  name: string,
  { what, why, kept }: Table,
  columns: readonly string[],
  read: readonly string[],
): string =>
  `| \`${name}\` | ${what} | ${columns.join('; ')} | ${why} | ${kept} | ${read.join(', ') || 'nobody but the owner'} |`;

/** The record of processing with its tables as the catalogue of columns and the roles of the database are now. */
export async function recordOfProcessing(): Promise<string> {
  const readers = readersOf(readFileSync(PRIVILEGES, 'utf8'));
  const [before, rest = ''] = readFileSync(FILE, 'utf8').split(BEGIN);
  const [, after] = rest.split(END);
  if (before === undefined || after === undefined)
    throw new Error(`${FILE} has not both ${BEGIN} and ${END}`);
  const people = Object.keys(PEOPLE) as Exclude<About, 'nobody'>[];
  const tables = people.map((person) => `### ${PEOPLE[person]}\n\n${tableOf(person, readers)}`);
  const none = Object.entries(TABLES).filter(([, table]) =>
    columnsOf(table).every(({ about }) => about === 'nobody'),
  );
  const others = `### Nobody\n\nIn these tables there is nothing of a person: ${none.map(([name]) => `\`${name}\``).join(', ')}.`;
  const text = [before.trimEnd(), BEGIN, ...tables, others, END, after.trimStart()].join('\n\n');
  return format(text, { ...(await resolveConfig(FILE)), parser: 'markdown' });
}

if (import.meta.main) writeFileSync(FILE, await recordOfProcessing());
