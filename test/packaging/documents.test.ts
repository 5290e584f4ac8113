import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What is in the repository, and what is about to be. */
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|js|cjs|sql|md|yml|json)$/.test(file) && existsSync(join(root, file)))
  .filter((file) => !/^(package-lock\.json|test\/replay\/histories\/)/.test(file));
const PAGES = FILES.filter((file) => file.endsWith('.md'));

const headingsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => heading ?? '');

/** As the code's host makes anchors of headings. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');

/** Every match in every file: where it stands, and what it says. */
const mentions = (pattern: RegExp): { at: string; name: string }[] =>
  FILES.flatMap((file) =>
    [...read(file).matchAll(pattern)].map(([text, name = text]) => ({ at: `${file}: ${text}`, name })),
  );

const missing = (found: readonly { at: string; name: string }[], there: readonly string[]): string[] =>
  found.filter(({ name }) => !there.includes(name)).map(({ at }) => at);

describe('a reference in code, tests and documents resolves', () => {
  test('to a section of the contract', () => {
    const sections = headingsOf('docs/contract.md').flatMap(
      (heading) => /^(\d+)\. /.exec(heading)?.[1] ?? [],
    );
    const found = mentions(/\b[Cc]ontract(?:\.md)?(?:'s|,)? (?:§|section )(\d+)/g);
    expect(sections).toContain('1');
    expect(found.length).toBeGreaterThan(0);
    expect(missing(found, sections)).toEqual([]);
  });

  test('to a promise', () => {
    const found = mentions(/\b(?:[Pp]romises?|promises of) (P\d+)\b/g);
    expect(missing(found, headingsOf('docs/architecture.md'))).toEqual([]);
  });

  test('to a document', () => {
    const found = mentions(/(?<![\w./-])(docs\/[\w./-]+\.md)\b/g);
    expect(found.length).toBeGreaterThan(0);
    expect(missing(found, PAGES)).toEqual([]);
  });

  test.each(PAGES)('from %s to pages and headings', (page) => {
    const dangling = [
      ...read(page).matchAll(/\]\((?!https?:|mailto:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g),
    ].filter(([, path, anchor]) => {
      const target = path ? relative(root, join(root, dirname(page), path)) : page;
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !headingsOf(target).map(anchorOf).includes(anchor);
    });
    expect(dangling.map(([text]) => text)).toEqual([]);
  });

  test('to a file of the source', () => {
    const found = mentions(
      /(?<![\w./-])((?:src|dev|workflows|activities|test|bench|migrations)\/[\w./-]+\.(?:ts|js|sql|md))\b/g,
    )
      // a decision tells of its day, and the rules' test plants files that are not there
      .filter(({ at }) => !/^(docs\/decisions\/|CHANGELOG\.md|test\/packaging\/)/.test(at));
    expect(found.length).toBeGreaterThan(0);
    expect(missing(found, FILES)).toEqual([]);
  });

  test('to a command of npm', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    const found = mentions(/\bnpm run (?:-s )?([a-z][a-z:-]*)/g).filter(
      ({ at }) => !/^(docs\/decisions\/|CHANGELOG\.md|test\/packaging\/)/.test(at),
    );
    expect(found.length).toBeGreaterThan(0);
    expect(missing(found, Object.keys(scripts))).toEqual([]);
  });

  test('from each promise to the tests that hold it', () => {
    const lines = read('docs/architecture.md').split('\n');
    const held = lines.flatMap((line) => line.split(' Tests: ')[1] ?? []);
    expect(held).toHaveLength(8);
    const suites = held.flatMap((text) =>
      [...text.matchAll(/`([\w-]+(?:\/[\w-]+)?)`/g)].map(([, name]) => name ?? ''),
    );
    expect(
      suites.filter(
        (name) => !existsSync(join(root, `test/${name}.test.ts`)) && !existsSync(join(root, `test/${name}`)),
      ),
    ).toEqual([]);
  });

  test('from the map of the source to every folder, and to none that is gone', () => {
    const [, map = ''] = read('docs/architecture.md').split('## Where things live');
    const shown = [...map.matchAll(/^ {2}([\w-]+)\/ /gm)].map(([, name]) => name ?? '');
    expect(shown.sort()).toEqual(readdirSync(join(root, 'src')).sort());
  });

  test('from what SECURITY.md says that holds to the tests that show it', () => {
    const suites = [...read('SECURITY.md').matchAll(/`([a-z-]+\/[\w-]+)`/g)].map(([, name]) => name ?? '');
    expect(suites.length).toBeGreaterThan(40);
    expect(suites.filter((name) => !existsSync(join(root, `test/${name}.test.ts`)))).toEqual([]);
  });

  test('from the index to every decision', () => {
    const decisions = readdirSync(join(root, 'docs/decisions')).filter((name) => name !== 'README.md');
    const index = read('docs/decisions/README.md');
    for (const name of decisions) {
      expect(name).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
      expect(index).toContain(`](${name})`);
    }
  });
});
