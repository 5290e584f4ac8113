import escapeHtml from 'escape-html';

/** Markup that is safe to send. {@link html} makes it; the private field keeps anything else from passing for it. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** What may stand in a template. Text is escaped, markup is not, nothing is nothing. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

/** Attributes MUST be in quotes in the template: the escaping counts on it. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  const rest = contents.map((content, i) => write(content) + (parts[i + 1] ?? ''));
  return new Html((parts[0] ?? '') + rest.join(''));
}

function write(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (content instanceof Html) return content.toString();
  if (typeof content === 'object') return content.map(write).join('');
  return escapeHtml(String(content));
}
