import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { runOperator } from '../../src/operator/command-line.ts';

/** A command that needs to open nothing. */
async function run(...argv: readonly string[]): Promise<{ exit: number; out: string; err: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const exit = await runOperator(argv, {
    streams: { stdin, stdout, stderr },
    open: () => Promise.reject(new Error('it was opened')),
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
      ...['case', 'partner', 'user', 'key', 'provider', 'treatment', 'reconcile', 'worker', 'log'],
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
      expect(out).toMatch(/--json .*--as /s);
    }
  });

  it('documents what it ends with, how it is called and who is logged', async () => {
    const { out } = await run('--help');
    for (const line of ['0   done', '1   refused', '2   wrong usage', '69  ', '70  ', '78  '])
      expect(out).toContain(`  ${line}`);
    for (const word of [
      'npm run -s operator --',
      'node src/main/operator.ts',
      'DATABASE_URL',
      'OPERATOR_NAME',
      '--as',
    ])
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
    ['an empty name', ['partner', 'list', '--as', ' '], 'must not be empty'],
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
    expect(err).not.toContain('it was opened');
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});
