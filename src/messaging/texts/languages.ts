import type { Language } from '../../calendar/format.ts';
import { en } from './en.ts';
import { nb } from './nb.ts';
import type { Wording } from './wording.ts';

export const WORDING: Readonly<Record<Language, Wording>> = { nb, en };
