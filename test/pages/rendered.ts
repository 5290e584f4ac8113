import type { Language } from '../../src/calendar/format.ts';
import { context, PAGES } from './page-samples.ts';

export const render = (name: string, language: Language): string => String(PAGES[name]?.(context(language)));

export const count = (markup: string, pattern: RegExp): number => markup.match(pattern)?.length ?? 0;

/** What is there to read. */
export const textOf = (markup: string): string => markup.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
