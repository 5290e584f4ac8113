import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { spawnChild } from '../../dev/child-process.ts';
import { cacheDirectory, isExecutable, onPath } from '../../dev/temporal/find-cli.ts';
import { downloadWithSdk, SDK_FILES } from '../../dev/temporal/sdk-download.ts';

const VERSION = '1.38.0';

/**
 * Temporal's test server, whose clock skips to the next timer: from our cache, by the SDK's download, or from Maven.
 *
 * @returns the path of a program that takes a port
 * @throws with what to install when there is no way
 */
export async function findTimeSkippingServer(log: (line: string) => void): Promise<string> {
  const cache = cacheDirectory();
  const jars = join(cache, `temporal-test-server-${VERSION}`);
  const java = await onPath('java');
  if (java !== undefined && existsSync(jars)) return writeLauncher(jars);
  const downloaded = join(cache, SDK_FILES['time-skipping']);
  if (await isExecutable(downloaded)) return downloaded;
  log('downloading the time-skipping Temporal server');
  const download = await downloadWithSdk('time-skipping', cache);
  if ('path' in download) return download.path;

  const maven = await onPath('mvn');
  if (java !== undefined && maven !== undefined) {
    await fetchJars(maven, jars, log);
    return writeLauncher(jars);
  }
  throw new Error(
    `There is no time-skipping Temporal server here, and the download failed (${download.reason}). ` +
      'Install Java 17 or newer and Maven (on Debian: apt-get install default-jre-headless maven), or run the tests ' +
      'once where https://temporal.download can be reached.',
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
async function writeLauncher(jars: string): Promise<string> {
  const path = join(jars, 'run');
  await writeFile(`${path}.${process.pid}`, LAUNCHER, { mode: 0o755 });
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

/**
 * The SDK ends the server with SIGKILL to this very process, hence exec; and a suite that ends without tearing its
 * environment down leaves the server to the watcher. The flags are for a quick start: a suite lives for seconds.
 *
 * Without --enable-time-skipping: the SDK counts on a clock that stands on real time until a result is awaited. With
 * it the clock runs on while a worker is busy with its first task, and workflows time out at random.
 */
const LAUNCHER = `#!/bin/sh
lib="$(dirname "$0")/lib"
parent=$PPID
( while kill -0 "$parent" && kill -0 $$; do sleep 1; done; kill -KILL $$ ) </dev/null >/dev/null 2>&1 &
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -Xmx512m -cp "$lib/*" \\
  io.temporal.testserver.TestServer "$@"
`;
