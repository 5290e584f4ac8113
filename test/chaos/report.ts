import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isLeftToTheSweep } from './checks/calendars.ts';
import type { InflictedFault } from './faults.ts';
import type { Outside, Violation } from './outside.ts';
import { nameOf, type Plan } from './plan.ts';

/** More cases than this are listed in the JSON only. */
const LISTED = 40;

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);

/** What is going to happen, before it does. */
export function planInWords({ seed, cases, kills, length, parties, faults }: Plan): string {
  const lines = [`Seed ${seed}: ${cases} cases and ${kills} kills in ${seconds(length)} s.`, '', 'Faults'];
  for (const fault of faults)
    lines.push(
      `  ${seconds(fault.at).padStart(7)} s  ${nameOf(fault)}${fault.lasts > 0 ? `, for ${seconds(fault.lasts)} s` : ''}`,
    );
  lines.push('', 'Cases');
  if (cases <= LISTED) {
    for (const { story, opensAt, cases: own, moments } of parties) {
      const who = own.map(({ number }) => `#${number}`).join(' and ');
      const acts = moments.map(
        ({ at, acts: these }) => `${seconds(at)} s ${these.map(({ deed }) => deed).join(' + ')}`,
      );
      lines.push(
        `  ${seconds(opensAt).padStart(7)} s  ${who} ${story}${acts.length > 0 ? `: ${acts.join(', ')}` : ''}`,
      );
    }
  } else {
    const stories = Map.groupBy(parties, ({ story }) => story);
    for (const [story, its] of stories) lines.push(`  ${String(its.length).padStart(7)}    ${story}`);
  }
  return `${lines.join('\n')}\n`;
}

const countOf = <T>(all: readonly T[], named: (one: T) => string): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(all, named)].map(([name, its]) => [name, its.length]));

/** What came of it, in numbers. */
export function figuresOf(
  plan: Plan,
  outside: Outside,
  { faults, took, restTook }: { faults: readonly InflictedFault[]; took: number; restTook: number },
) {
  const attempts = outside.accounts.flatMap((account) => account.attempts);
  const count = <T>(all: readonly T[], isOne: (one: T) => boolean) => all.filter(isOne).length;
  const done = faults.filter(({ failure }) => failure === null);
  return {
    'cases planned': plan.cases,
    'cases answered with 201': count(outside.accounts, ({ created }) => created.length > 0),
    'creates sent': count(attempts, ({ deed }) => deed === 'create'),
    'processes killed': count(done, ({ fault }) => fault.startsWith('kill')),
    'other faults': count(done, ({ fault }) => !fault.startsWith('kill')),
    'faults that could not be inflicted': faults.length - done.length,
    'calls answered': outside.answers.length,
    'calls without an answer': count(attempts, ({ outcome, code }) => outcome === 'unknown' && code === null),
    ...countOf(
      outside.answers.filter(({ status }) => status === 500),
      ({ code }) => `answered 500 ${code}`,
    ),
    'confirms granted': count(attempts, ({ deed, outcome }) => deed === 'confirm' && outcome === 'granted'),
    'confirms refused': count(attempts, ({ deed, outcome }) => deed === 'confirm' && outcome === 'refused'),
    'appointments alive': count(outside.appointments, ({ isLive }) => isLive),
    'appointments cancelled': count(outside.appointments, ({ isLive }) => !isLive),
    'slots left to the sweep': count(outside.slots, isLeftToTheSweep),
    'mails and texts': outside.mails.length + outside.texts.length,
    'seconds of load': Math.round(took / 1000),
    'seconds until at rest': Math.round(restTook / 1000),
    ...countOf(outside.rows, ({ status }) => `in the end ${status}`),
  };
}

export function violationsInWords(violations: readonly Violation[]): string {
  if (violations.length === 0) return 'Every promise was kept.\n';
  const lines = violations.flatMap(({ promise, caseId, expected, seen }) => [
    `${promise}  ${caseId ?? 'no single case'}`,
    `    expected: ${expected}`,
    `    seen:     ${seen}`,
  ]);
  return `${violations.length} violations\n\n${lines.join('\n')}\n`;
}

export async function writeReport(file: string, report: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
}
