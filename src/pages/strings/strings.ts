import type { Language } from '../../calendar/format.ts';
import { en } from './en.ts';
import { nb, type Strings } from './nb.ts';

export const STRINGS: Readonly<Record<Language, Strings>> = { nb, en };
