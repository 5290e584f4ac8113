import { readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { FINDING_KINDS } from '../../src/domain/findings.ts';
import { layOut } from '../../src/operator/command-line/layout.ts';
import { runOperator } from '../../src/operator/command-line/program.ts';
import { facts, parts, table, titled } from '../../src/operator/view.ts';
import { BOOKING_CHECKS } from '../../src/providers/conformance/booking.ts';
import { HOLDING_CHECKS } from '../../src/providers/conformance/holding.ts';
import { READING_CHECKS } from '../../src/providers/conformance/reading.ts';
import { PROVIDER_KINDS } from '../../src/providers/connect.ts';

/** A command that needs no operator API. */
async function run(...argv: readonly string[]): Promise<{ exit: number; out: string; err: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const exit = await runOperator(argv, {
    streams: { stdin, stdout, stderr },
    connect() {
      throw new Error('it was called');
    },
  });
  return { exit, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

/** The commands that a help page lists, but for `help`. */
async function subcommands(...path: readonly string[]): Promise<string[]> {
  const { out } = await run(...path, '--help');
  const [, list = ''] = /\nCommands:\n([^]*?)(\n\n|$)/.exec(out) ?? [];
  const names = [...list.matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, name = '']) => name);
  return names.filter((name) => name !== 'help');
}

describe('the operator’s help', () => {
  it('of every command has examples and the options that all have', async () => {
    const nouns = await subcommands();
    expect(nouns).toEqual([
      ...[
        'attention',
        'case',
        'partner',
        'user',
        'key',
        'provider',
        'treatment',
        'access',
        'person',
        'reconcile',
        'after-restore',
        'worker',
      ],
      ...['log', 'grant', 'whoami'],
    ]);
    const paths: string[][] = [];
    for (const noun of nouns) {
      const verbs = await subcommands(noun);
      paths.push(...(verbs.length > 0 ? verbs.map((verb) => [noun, verb]) : [[noun]]));
    }
    expect(paths.length).toBeGreaterThan(30);
    for (const path of paths) {
      const { exit, out } = await run(...path, '--help');
      expect([path, exit]).toEqual([path, 0]);
      expect(out).toContain('Examples:\n  # ');
      expect(out).toContain(`$ operator ${path.join(' ')}`);
      expect(out).toContain('--json');
    }
  });

  it('says what a value is when it is left out, how it may be written, and what can be left out', async () => {
    const { out } = await run('case', 'list', '--help');
    expect(out).toMatch(/--limit <number> +how many \(default: 50\)/);
    expect(out).toMatch(/--since <time> [^]*2026-11-24/);
    expect(out).toContain('--attention [kind]');
    expect((await run('partner', 'add', '--help')).out).toMatch(
      /Usage: operator partner add \[options\] <id>/,
    );
    expect((await run('provider', 'problems', '--help')).out).toContain('[options] [id]');
    expect((await run('provider', 'offer', '--help')).out).toContain('<id> <treatment...>');
  });

  it('documents what it ends with, how it is called and who is logged', async () => {
    const { out } = await run('--help');
    for (const line of ['0   done', '1   refused', '2   wrong usage', '69  ', '70  ', '78  '])
      expect(out).toContain(`  ${line}`);
    for (const word of ['npm run -s operator --', 'node src/main/operator.ts', 'OPERATOR_API_URL'])
      expect(out).toContain(word);
  });
});

describe('a command that is called wrongly', () => {
  it.each([
    ['nothing', [], 'Usage: operator'],
    ['a noun alone', ['case'], 'Usage: operator case'],
    ['a slip', ['case', 'lst'], 'Did you mean list?'],
    ['an unknown option', ['case', 'list', '--everything'], '--everything'],
    ['a word too many', ['partner', 'list', 'x'], 'too many arguments'],
    ['a word too few', ['case', 'show'], "missing required argument 'case'"],
    ['a word that is none of the choices', ['case', 'list', '--status', 'bookd'], 'pending_patient_action'],
    ['a value that is left out', ['case', 'recall', '3f2a9c1e', '--reason'], '--reason'],
  ])('ends with 2 and a sentence: %s', async (_, argv, why) => {
    const plain = await run(...argv);
    expect([plain.exit, plain.out]).toEqual([2, '']);
    expect(plain.err).toContain(why);
    const machine = await run(...argv, '--json');
    expect([machine.exit, machine.err]).toEqual([2, '']);
    expect(JSON.parse(machine.out)).toEqual({
      error: { code: 'WRONG_USAGE', message: expect.stringContaining(why) },
    });
  });

  it('a fault of ours is told by its kind and place, without what it says', async () => {
    const { exit, out, err } = await run('partner', 'list');
    expect([exit, out]).toEqual([70, '']);
    expect(err).toMatch(/Internal error.*Error at .*help\.test\.ts/);
    expect(err).not.toContain('it was called');
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

describe('a table', () => {
  const shown = table(
    { Id: 'id', Note: ({ note }) => note },
    [
      { id: 'first', note: 'a few words that may be told on several lines' },
      { id: 'second\nline', note: null },
    ],
    'None.',
  );

  it('is aligned, a line a row, and says where there is nothing', () => {
    expect(layOut(shown, Number.POSITIVE_INFINITY)).toBe(
      [
        'Id           Note',
        'first        a few words that may be told on several lines',
        'second line  -',
      ].join('\n'),
    );
  });

  it('goes on below in its last column where that does not fit', () => {
    expect(layOut(shown, 40)).toBe(
      [
        'Id           Note',
        'first        a few words that may be',
        '             told on several lines',
        'second line  -',
      ].join('\n'),
    );
  });

  it('is a block a row where the last column would be too narrow', () => {
    expect(layOut(shown, 30)).toBe(
      [
        'Id    first',
        'Note  a few words that may be',
        '      told on several lines',
        '',
        'Id  second line',
      ].join('\n'),
    );
  });

  it('without rows is a sentence', () => {
    expect(layOut(table({ Id: 'id' }, [], 'None.'), 80)).toBe('None.');
  });
});

describe('facts, parts and titles', () => {
  it('leave out what is not known', () => {
    expect(
      layOut(
        facts([
          ['Name', 'Kari'],
          ['E-mail', null],
          ['Phone', undefined],
        ]),
        80,
      ),
    ).toBe('Name  Kari');
    expect(layOut(parts('one', null, 'two'), 80)).toBe('one\n\ntwo');
  });

  it('are indented below a title, empty lines not', () => {
    expect(layOut(titled('Title', 'a\n\nb'), 80)).toBe('Title\n  a\n\n  b');
  });

  it('keep a word that is longer than the line in one piece', () => {
    expect(layOut(parts('see https://booking.example/b/3f2a9c1e'), 20)).toBe(
      'see\nhttps://booking.example/b/3f2a9c1e',
    );
  });
});

const text = await readFile(new URL('../../docs/providers.md', import.meta.url), 'utf8');
const rows = text.split('\n').filter((line) => line.startsWith('| '));
const firstCells = rows.map((line) => line.split('|')[1]?.trim().replaceAll('`', ''));

it.each([
  [
    'every line of a check',
    [...READING_CHECKS, ...HOLDING_CHECKS, ...BOOKING_CHECKS].map(({ name }) => name),
  ],
  ['everything that is found at a clinic', Object.keys(FINDING_KINDS)],
])('docs/providers.md says what %s means', (_, all) => {
  expect(firstCells).toEqual(expect.arrayContaining(all));
});

it('docs/providers.md says what each kind of booking system has to have', () => {
  for (const kind of PROVIDER_KINDS) expect(text).toContain(`\`--kind ${kind}\``);
});
