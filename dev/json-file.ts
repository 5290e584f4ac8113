import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';

/** What a JSON file holds; `otherwise` where there is none. @throws Error naming a file that can't be read */
export async function readJson<T>(file: string, schema: z.ZodType<T>, otherwise: T): Promise<T> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw new Error(`${file} can't be read; delete it to start without its data`, { cause: error });
  }
}

/** Written aside and renamed, so that a crash leaves the old file or the new one, and no half. Only we may read it. */
export async function writeJson(file: string, content: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(content, null, 1), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Writes a file after changes, once for all that come within a moment. */
export interface JsonWriter {
  /** Something changed: write it soon. */
  readonly onChange: () => void;
  /** Writes what is not written yet. */
  readonly flush: () => Promise<void>;
}

/** @param file null keeps nothing. @param content asked for each time that the file is written */
export function createJsonWriter(file: string | null, content: () => unknown, delayMs = 1_000): JsonWriter {
  if (file === null) return { onChange: () => undefined, flush: async () => undefined };
  let timer: NodeJS.Timeout | null = null;
  let written = Promise.resolve();
  const flush = (): Promise<void> => {
    if (timer === null) return written;
    clearTimeout(timer);
    timer = null;
    written = written.catch(() => undefined).then(async () => writeJson(file, await content()));
    return written;
  };
  return {
    onChange() {
      timer ??= setTimeout(() => {
        flush().catch((error: unknown) => console.error(`${file} could not be written`, error));
      }, delayMs);
    },
    flush,
  };
}
