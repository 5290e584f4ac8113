import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

const kept = z.record(z.string(), z.record(z.string(), z.string()));

/** One event or series as it lies in a calendar. */
export interface StoredObject {
  readonly calendar: string;
  /** The last part of its address, without `.ics`. */
  readonly name: string;
  readonly ics: string;
}

/** The clinic's calendars in memory, and in a file that the next start goes on with. */
export interface CalendarStore {
  in(calendar: string): StoredObject[];
  get(calendar: string, name: string): StoredObject | null;
  put(object: StoredObject): StoredObject;
  remove(calendar: string, name: string): void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
}

/** @param dataFile null keeps nothing. @throws Error when the file is there and can't be read */
export async function openCalendarStore(dataFile: string | null): Promise<CalendarStore> {
  const calendars = new Map<string, Map<string, StoredObject>>();
  const of = (calendar: string) => {
    const objects = calendars.get(calendar) ?? new Map<string, StoredObject>();
    calendars.set(calendar, objects);
    return objects;
  };
  for (const [calendar, objects] of Object.entries(dataFile === null ? {} : await read(dataFile))) {
    for (const [name, ics] of Object.entries(objects)) of(calendar).set(name, { calendar, name, ics });
  }

  let isWritten = true;
  let written = Promise.resolve();
  const write = async (file: string) => {
    isWritten = true;
    const all = [...calendars].map(([id, objects]) => [
      id,
      Object.fromEntries([...objects].map(([name, { ics }]) => [name, ics])),
    ]);
    await mkdir(dirname(file), { recursive: true });
    // A crash while writing leaves the old file whole.
    await writeFile(`${file}.new`, JSON.stringify(Object.fromEntries(all), null, 1));
    await rename(`${file}.new`, file);
  };
  const changed = () => {
    if (dataFile === null || !isWritten) return;
    isWritten = false;
    // what changes until its turn comes is written with it
    written = written
      .then(() => write(dataFile))
      .catch((error: unknown) => console.error(`${dataFile} could not be written`, error));
  };
  return {
    in: (calendar) => [...of(calendar).values()],
    get: (calendar, name) => of(calendar).get(name) ?? null,
    put(object) {
      of(object.calendar).set(object.name, object);
      changed();
      return object;
    },
    remove(calendar, name) {
      of(calendar).delete(name);
      changed();
    },
    flush: () => written,
  };
}

/** The same content has the same ETag, as on many servers. */
export const etagOf = ({ ics }: StoredObject): string =>
  `"${createHash('sha256').update(ics).digest('hex').slice(0, 32)}"`;

async function read(dataFile: string): Promise<z.infer<typeof kept>> {
  try {
    return kept.parse(JSON.parse(await readFile(dataFile, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${dataFile} can't be read; delete it to start with empty calendars`, { cause: error });
  }
}
