import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createJsonWriter, readJson } from '../json-file.ts';

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
  readonly flush: () => Promise<void>;
}

/** @param dataFile null keeps nothing. @throws Error when the file is there and can't be read */
export async function openCalendarStore(dataFile: string | null): Promise<CalendarStore> {
  const calendars = new Map<string, Map<string, StoredObject>>();
  const of = (calendar: string) => {
    const objects = calendars.get(calendar) ?? new Map<string, StoredObject>();
    calendars.set(calendar, objects);
    return objects;
  };
  for (const [calendar, objects] of Object.entries(
    dataFile === null ? {} : await readJson(dataFile, kept, {}),
  )) {
    for (const [name, ics] of Object.entries(objects)) of(calendar).set(name, { calendar, name, ics });
  }

  const { onChange, flush } = createJsonWriter(dataFile, () =>
    Object.fromEntries(
      [...calendars].map(([id, objects]) => [
        id,
        Object.fromEntries([...objects].map(([name, { ics }]) => [name, ics])),
      ]),
    ),
  );
  return {
    in: (calendar) => [...of(calendar).values()],
    get: (calendar, name) => of(calendar).get(name) ?? null,
    put(object) {
      of(object.calendar).set(object.name, object);
      onChange();
      return object;
    },
    remove(calendar, name) {
      of(calendar).delete(name);
      onChange();
    },
    flush,
  };
}

/** The same content has the same ETag, as on many servers. */
export const etagOf = ({ ics }: StoredObject): string =>
  `"${createHash('sha256').update(ics).digest('hex').slice(0, 32)}"`;
