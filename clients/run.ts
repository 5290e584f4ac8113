import { spawn } from 'node:child_process';
import { access, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProgress } from '../dev/stack/context.ts';
import { startStack } from '../dev/stack/stack.ts';

/**
 * Generates clients of the approved description, compiles them, and has each one do what partners do, against the whole
 * service: `npm run clients`, or `npm run clients -- java python`. A language whose compiler is not there is passed over,
 * and said so. Needs Java, Maven and Python 3; for C#, Mono with its `mcs`.
 */
const GENERATOR = '7.17.0';
/** Has Json.NET in it, which is on no registry that Node reaches otherwise. */
const NSWAG = '14.7.1';
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const cache = join(homedir(), '.cache', 'treatment-booking', 'clients');
const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-clients-'));

interface Language {
  readonly needs: readonly string[];
  readonly build: (target: string) => Promise<void>;
  /** The command that plays the scenario. */
  readonly scenario: (target: string) => readonly [string, ...string[]];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  typescript: {
    needs: [],
    build: async (target) => {
      await run(here('../node_modules/.bin/tsc'), [
        '-p',
        here('typescript'),
        '--outDir',
        join(target, 'dist'),
      ]);
      const installed = join(target, 'node_modules', 'treatment-booking-client');
      await mkdir(installed, { recursive: true });
      await cp(here('typescript/package.json'), join(installed, 'package.json'));
      await cp(join(target, 'dist'), join(installed, 'dist'), { recursive: true });
      for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
        await symlink(await packageOf(name), join(target, 'node_modules', name));
      await cp(here('scenarios/scenario.mjs'), join(target, 'scenario.mjs'));
    },
    scenario: (target) => [process.execPath, join(target, 'scenario.mjs')],
  },
  java: {
    needs: ['java', 'mvn'],
    build: async (target) => {
      const names = 'invokerPackage=booking,apiPackage=booking.api,modelPackage=booking.model';
      const plain = 'openApiNullable=false,annotationLibrary=none,documentationProvider=none';
      await generate('java', target, ['--library=native', `--additional-properties=${names},${plain}`]);
      await cp(here('scenarios/Scenario.java'), join(target, 'src/main/java/Scenario.java'));
      const quick = ['-Dmaven.test.skip', '-Dmaven.javadoc.skip', '-Dmaven.source.skip'];
      await run('mvn', ['-q', '-B', ...quick, 'package', 'dependency:copy-dependencies'], target);
    },
    scenario: (target) => [
      'java',
      '-cp',
      `${target}/target/classes:${target}/target/dependency/*`,
      'Scenario',
    ],
  },
  python: {
    needs: ['python3'],
    build: async (target) => {
      await generate('python', target, ['--additional-properties=packageName=treatment_booking']);
      await run('python3', ['-m', 'venv', join(target, 'venv')]);
      await run(join(target, 'venv/bin/pip'), ['install', '--quiet', target]);
    },
    scenario: (target) => [join(target, 'venv/bin/python'), here('scenarios/scenario.py')],
  },
  csharp: {
    needs: ['java', 'mcs', 'mono'],
    build: async (target) => {
      const properties = 'packageName=TreatmentBooking,targetFramework=net48,nullableReferenceTypes=false';
      await generate('csharp', target, [
        '--library=httpclient',
        `--additional-properties=${properties},supportsRetry=false`,
      ]);
      await run('npm', ['pack', '--silent', `nswag@${NSWAG}`, '--pack-destination', target], target);
      const json = 'package/bin/binaries/Win/Newtonsoft.Json.dll';
      await run('tar', ['xzf', `nswag-${NSWAG}.tgz`, '--strip-components=4', json], target);
      const source = join(target, 'src', 'TreatmentBooking');
      const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.cs'));
      const assemblies = ['System.Net.Http', 'System.ComponentModel.DataAnnotations', 'System.Web'];
      const references = ['Newtonsoft.Json', ...assemblies, 'System.Runtime.Serialization'];
      await run(
        'mcs',
        [
          '-langversion:latest',
          '-out:Scenario.exe',
          ...references.map((name) => `-r:${name}.dll`),
          ...files.map((file) => join(source, file)),
          here('scenarios/Scenario.cs'),
        ],
        target,
      );
    },
    scenario: (target) => ['mono', join(target, 'Scenario.exe')],
  },
};

const wanted = process.argv.slice(2);
const results: [name: string, result: string][] = [];
const stack = await startStack({
  directory,
  defaultPorts: false,
  progress: createProgress((text) => process.stdout.write(text)),
  onEnded: (name, why) => console.error(`the ${name} ended: ${why}`),
});
try {
  const env = { API: stack.description.api, KEY: stack.description.apiKey };
  for (const [name, language] of Object.entries(LANGUAGES)) {
    if (wanted.length === 0 || wanted.includes(name)) results.push([name, await tried(name, language, env)]);
  }
} finally {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
}
console.log(results.map(([name, result]) => `${name}: ${result}`).join('\n'));
process.exitCode = results.some(([, result]) => result.startsWith('FAILED')) ? 1 : 0;

async function tried(name: string, { needs, build, scenario }: Language, env: Record<string, string>) {
  for (const command of needs) if (!(await isThere(command))) return `passed over: there is no ${command}`;
  const target = join(directory, name);
  await mkdir(target);
  console.log(`\n${name}`);
  try {
    await build(target);
    const [command, ...args] = scenario(target);
    await run(command, args, target, env);
    return 'generated, compiled, and did it all';
  } catch (error) {
    return `FAILED: ${String(error)}`;
  }
}

async function generate(generator: string, target: string, options: readonly string[]): Promise<void> {
  const jar = join(cache, `openapi-generator-cli-${GENERATOR}.jar`);
  const isCached = await access(jar).then(
    () => true,
    () => false,
  );
  if (!isCached) {
    const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${GENERATOR}`;
    await run('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${cache}`]);
  }
  const given = ['-g', generator, '-i', here('openapi.json'), '-o', target, ...options];
  await run('java', ['-Dlog.level=error', '-jar', jar, 'generate', ...given]);
}

/** Where a package is installed, here or in a folder above. */
async function packageOf(name: string): Promise<string> {
  const resolved = fileURLToPath(import.meta.resolve(name));
  return resolved.slice(0, resolved.indexOf(`node_modules/${name}`) + `node_modules/${name}`.length);
}

function isThere(command: string): Promise<boolean> {
  return run('which', [command]).then(
    () => true,
    () => false,
  );
}

function run(
  command: string,
  args: readonly string[],
  cwd = directory,
  env: Record<string, string> = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } })
      .on('error', reject)
      .on('exit', (code) => {
        if (code === 0) resolve();
        else reject(new Error(`${command} ended with ${code}`));
      });
  });
}
