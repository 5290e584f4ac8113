import { type Language } from '../calendar/format.ts';
import { speak, type Strings } from './catalogue.ts';
import { en } from './en.ts';
import { nb } from './nb.ts';
import { nn } from './nn.ts';

/** Everything that customers read, as their translators write it. */
export const CATALOGUES = { nb, nn, en };

/** The same, ready to be said. */
export const STRINGS: Readonly<Record<Language, Strings>> = {
  nb: speak(nb, 'nb'),
  nn: speak(nn, 'nn'),
  en: speak(en, 'en'),
};
