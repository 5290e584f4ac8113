import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Rule, a file that breaks it, and what that file imports: a file from the top, or a package. */
const VIOLATIONS: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['domain-is-pure', 'src/domain/npm.ts', 'luxon'],
  ['domain-is-pure', 'src/domain/builtin.ts', 'node:crypto'],
  ['domain-is-pure', 'src/domain/folder.ts', 'src/calendar/format.ts'],
  ['workflows-are-deterministic', 'workflows/zod.ts', 'zod'],
  ['workflows-are-deterministic', 'workflows/activity.ts', 'activities/index.ts'],
  ['workflows-are-deterministic', 'workflows/folder.ts', 'src/calendar/deadline.ts'],
  ['activities-get-their-counterparts', 'activities/rows.ts', 'src/postgres/database.ts'],
  ['activities-get-their-counterparts', 'activities/npm.ts', 'zod'],
  ['port-is-a-contract', 'src/providers/port.ts', 'src/providers/fhir/book.ts'],
  ['counterparts-are-strangers', 'src/postgres/mail.ts', 'src/messaging/mail.ts'],
  ['counterparts-are-strangers', 'src/messaging/indirect.ts', 'src/pages/indirect.ts'],
  ['calendar-imports', 'src/calendar/other.ts', 'src/pages/html.ts'],
  ['tracing-imports', 'src/tracing/other.ts', 'src/pages/html.ts'],
  ['http-client-imports', 'src/http-client/other.ts', 'src/domain/decide.ts'],
  ['fhir-imports', 'src/fhir/other.ts', 'src/providers/connect.ts'],
  ['strings-imports', 'src/strings/other.ts', 'src/pages/html.ts'],
  ['postgres-imports', 'src/postgres/other.ts', 'src/identity/secrets.ts'],
  ['providers-imports', 'src/providers/other.ts', 'src/calendar/deadline.ts'],
  ['registries-imports', 'src/registries/other.ts', 'src/pages/html.ts'],
  ['identity-imports', 'src/identity/other.ts', 'src/calendar/deadline.ts'],
  ['messaging-imports', 'src/messaging/other.ts', 'src/pages/html.ts'],
  ['test-environment-imports', 'src/test-environment/other.ts', 'src/postgres/database.ts'],
  ['cases-imports', 'src/cases/other.ts', 'src/http/app.ts'],
  ['pages-imports', 'src/pages/indirect.ts', 'src/registries/other.ts'],
  ['temporal-imports', 'src/temporal/other.ts', 'src/http/app.ts'],
  ['http-imports', 'src/http/provider.ts', 'src/providers/connect.ts'],
  ['pages-are-mounted-once', 'src/http/page.ts', 'src/pages/router.ts'],
  ['test-environment-is-wired-only', 'src/http/trial.ts', 'src/test-environment/stand-in.ts'],
  ['operator-imports', 'src/operator/other.ts', 'src/http/app.ts'],
  ['command-line-is-light', 'src/operator/command-line/other.ts', 'src/postgres/database.ts'],
  ['workflows-stay-in-their-bundle', 'src/main/other.ts', 'workflows/index.ts'],
  ['activities-are-wired-only', 'src/http/activity.ts', 'activities/index.ts'],
  ['nothing-imports-an-entry-point', 'test/root.ts', 'src/main/api.ts'],
  ['folders-get-arguments', 'src/http/setting.ts', 'src/config/settings.ts'],
  ['dev-stays-outside', 'src/main/api.ts', 'dev/mail.ts'],
  ['tests-stay-outside', 'dev/test.ts', 'test/support/database.ts'],
  ['production-dependencies-only', 'src/pages/maildev.ts', 'maildev'],
  ['dependencies-are-declared', 'test/undeclared.ts', 'undeclared'],
  ['imports-resolve', 'test/nowhere.ts', 'nowhere'],
  ['no-cycles', 'src/pages/cycle.ts', 'src/pages/cycle.ts'],
  ['tracing-is-loaded-on-demand', 'src/tracing/exporter.ts', '@opentelemetry/sdk-trace'],
  ['client-has-one-home', 'src/http/client.ts', '@temporalio/client'],
  ['worker-has-one-home', 'src/temporal/worker.ts', '@temporalio/worker'],
  ['slonik-has-one-home', 'src/http/sql.ts', 'slonik'],
  ['pg-has-one-home', 'src/temporal/listen.ts', 'pg'],
  ['argon2-has-one-home', 'src/http/password.ts', '@node-rs/argon2'],
  ['otpauth-has-one-home', 'src/http/code.ts', 'otpauth'],
  ['openid-client-has-one-home', 'src/http/openid.ts', 'openid-client'],
  ['nodemailer-has-one-home', 'src/http/mail.ts', 'nodemailer'],
  ['twilio-has-one-home', 'src/http/sms.ts', 'twilio'],
  ['luxon-has-one-home', 'src/http/time.ts', 'luxon'],
  ['prom-client-has-one-home', 'src/http/count.ts', 'prom-client'],
];

const ALLOWED: readonly (readonly [from: string, to: string])[] = [
  ['workflows/story.ts', 'src/domain/decide.ts'],
  ['workflows/handlers.ts', '@temporalio/workflow'],
  ['activities/failure.ts', 'src/providers/port.ts'],
  ['src/temporal/contract.ts', 'workflows/contract.ts'],
  ['dev/dev.ts', 'dev/stack/stack.ts'],
  ['dev/mail.ts', 'maildev'],
  ['test/whole.ts', 'src/main/compose-api.ts'],
];

const DEVELOPMENT = ['maildev'];
const root = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(import.meta.url);
const { forbidden } = require('../../.dependency-cruiser.cjs') as {
  forbidden: { name: string; comment: string }[];
};

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

describe('the import rules', () => {
  let directory = '';
  let violations: readonly Violation[] = [];
  const brokenBy = (file: string) =>
    violations.filter(({ from }) => from === file).map(({ rule }) => rule.name);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'import-rules-'));
    const imports = [...VIOLATIONS.map(([, from, to]) => [from, to] as const), ...ALLOWED];
    await plant(directory, imports);
    await write(
      directory,
      'src/domain/types-only.ts',
      "import type { Named } from '../postgres/database.ts';\nexport const x: Named | null = null;\n",
    );
    await write(
      directory,
      'src/domain/loads-it.ts',
      "import { type Named } from '../postgres/database.ts';\nexport const x: Named | null = null;\n",
    );
    violations = await cruise(directory);
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test.each(VIOLATIONS)('%s: %s may not import %s', (rule, from) => {
    expect(brokenBy(from)).toContain(rule);
  });

  test.each(ALLOWED)('%s may import %s', (from) => {
    expect(brokenBy(from)).toEqual([]);
  });

  test('a type may come from anywhere', () => {
    expect(brokenBy('src/domain/types-only.ts')).toEqual([]);
  });

  test('an import that is left behind empty counts, since it loads the file', () => {
    expect(brokenBy('src/domain/loads-it.ts')).toContain('domain-is-pure');
  });

  test('each rule says why, and is seen to fail above', () => {
    expect([...new Set(VIOLATIONS.map(([rule]) => rule))].sort()).toEqual(
      forbidden.map(({ name }) => name).sort(),
    );
    expect(forbidden.filter(({ comment }) => comment === '')).toEqual([]);
  });
});

/** A little repository of files that do nothing but import. */
async function plant(directory: string, imports: readonly (readonly [string, string])[]): Promise<void> {
  const isOurs = (name: string) => name.endsWith('.ts');
  const packages = imports.map(([, to]) => to).filter((to) => !isOurs(to) && !to.startsWith('node:'));
  const installed = [...new Set(packages)].filter((name) => name !== 'nowhere');
  for (const name of installed) {
    await write(
      directory,
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
    );
    await write(directory, `node_modules/${name}/index.js`, '');
  }
  const versions = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '1.0.0']));
  const declared = installed.filter((name) => name !== 'undeclared' && !DEVELOPMENT.includes(name));
  const manifest = {
    type: 'module',
    dependencies: versions(declared),
    devDependencies: versions(DEVELOPMENT),
  };
  await write(directory, 'package.json', JSON.stringify(manifest));
  await copyFile(join(root, 'tsconfig.json'), join(directory, 'tsconfig.json'));

  for (const [, to] of imports.filter(([, to]) => isOurs(to))) {
    await write(
      directory,
      to,
      'export interface Named { readonly name: string }\nexport const nothing = null;\n',
    );
  }
  for (const [from, to] of imports) {
    const path = relative(dirname(from), to);
    const specifier = isOurs(to) ? (path.startsWith('.') ? path : `./${path}`) : to;
    await write(directory, from, `import '${specifier}';\nexport const nothing = null;\n`);
  }
}

async function write(directory: string, file: string, text: string): Promise<void> {
  await mkdir(dirname(join(directory, file)), { recursive: true });
  await writeFile(join(directory, file), text);
}

/** The same command as `npm run check:imports`, in another directory. */
async function cruise(directory: string): Promise<readonly Violation[]> {
  const cli = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const folders = ['src', 'dev', 'workflows', 'activities', 'test'];
  const args = [cli, '--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json', ...folders];
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, args, { cwd: directory, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      // it ends with the number of violations
      if (stdout === '') reject(new Error(stderr, { cause: error }));
      else resolve(stdout);
    });
  });
  return (JSON.parse(output) as { summary: { violations: Violation[] } }).summary.violations;
}
