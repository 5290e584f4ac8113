import { readFileSync } from 'node:fs';
import type { Tag } from '../operation.ts';
import { errorTable, eventTable, statusTable } from './tables.ts';

/** What is written for people, in Markdown: docs/partners, in the order in which one reads it. */
const GUIDE = [
  'getting-started',
  'authentication',
  'cases',
  'errors',
  'idempotency',
  'events',
  'limits',
  'versioning',
];
/** Chapters that stand before the calls they are about. */
const OF_TAGS: Readonly<Partial<Record<Tag, string>>> = { Verification: 'verification', Sandbox: 'sandbox' };

const TABLES: Readonly<Record<string, () => string>> = {
  statuses: statusTable,
  errors: errorTable,
  events: eventTable,
};
/** Stand in the files for this deployment's own address. */
const ADDRESS = /https:\/\/(test\.)?booking\.example\.com/g;

export interface Prose {
  readonly guide: string;
  readonly tags: Readonly<Partial<Record<Tag, string>>>;
}

/** @throws when a chapter is missing, or asks for a table that there is not */
export function readProse(publicUrl: string): Prose {
  const chapter = (name: string) =>
    readFileSync(new URL(`../../../docs/partners/${name}.md`, import.meta.url), 'utf8')
      .replaceAll(ADDRESS, publicUrl)
      .replace(/<!-- table: (.+) -->/g, (_, table: string) => {
        const make = TABLES[table];
        if (!make) throw new Error(`docs/partners/${name}.md: there is no table of ${table}`);
        return make();
      })
      .trim();
  // the tag's name is the heading
  const ofTag = (name: string) => chapter(name).replace(/^# .*\n+/, '');
  return {
    guide: GUIDE.map(chapter).join('\n\n'),
    tags: Object.fromEntries(Object.entries(OF_TAGS).map(([tag, name]) => [tag, ofTag(name)])),
  };
}
