import { chmod, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * PostgreSQL refuses to run as root, so for root it runs as the user `postgres`, who must be able to walk to its
 * program and its data. A home directory of root, or one from `mktemp -d`, is closed: it is opened for passing through
 * (o+x), not for looking around.
 *
 * @throws when a directory can't be opened, naming it
 */
export async function openPathFor(path: string, log: (line: string) => void): Promise<void> {
  if (process.getuid?.() !== 0) return;
  for (let directory = path; ; directory = dirname(directory)) {
    const { mode } = await stat(directory);
    if ((mode & 0o001) === 0) {
      log(`lets the user that PostgreSQL runs as pass through ${directory} (chmod o+x)`);
      await chmod(directory, mode | 0o001).catch((cause: unknown) => {
        throw new Error(
          `PostgreSQL can't reach ${directory}: run "chmod o+x ${directory}", or be another user than root`,
          { cause },
        );
      });
    }
    if (directory === dirname(directory)) return;
  }
}
