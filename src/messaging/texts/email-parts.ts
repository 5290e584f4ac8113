import type { Language } from '../../calendar/format.ts';

/** What an e-mail consists of, before it becomes text and HTML. All of it plain text. */
export interface EmailParts {
  readonly subject: string;
  /** What mail programs show beside the subject. */
  readonly preview: string;
  /** Who speaks. */
  readonly from: string;
  readonly main: EmailSection;
  /** The same in another language, and the words there that tell of it above. */
  readonly also: (EmailSection & { readonly below: string }) | null;
  /** The small print. */
  readonly notes: readonly { readonly language: Language; readonly text: string }[];
}

export interface EmailSection {
  readonly language: Language;
  readonly heading: string;
  /** The time that holds. */
  readonly when: string | null;
  readonly paragraphs: readonly string[];
  /** What the reader may type. */
  readonly commands: readonly string[];
  readonly link: EmailLink | null;
  readonly closing: readonly string[];
  /** These can be touched wherever they stand in `closing`. */
  readonly phone: string;
  readonly email: string;
}

export interface EmailLink {
  readonly label: string;
  readonly url: string;
}
