/** A step of a page for partners: a call with curl, and what the page says is answered. */
export interface Step {
  /** Where on the page, to find it again when it fails. */
  readonly title: string;
  readonly method: string;
  /** With the page's own `$CASE` in it. */
  readonly path: string;
  readonly body: string | null;
  readonly status: number;
  /** The case's status, or the error's code; null where the page says the HTTP status only. */
  readonly says: string | null;
  readonly problem: string | null;
}

const BLOCK = /^```sh\n([^]*?)^```\n\n?(.*)$/gm;
const EXPECTED = /^→ `(\d{3})`(?:, `(\w+)`)?(?:, `(\w+)`)?$/;

/** @throws when a call on the page is not written as all others are, or does not say what is answered */
export function stepsOf(page: string): Step[] {
  return [...page.matchAll(BLOCK)].flatMap(({ 1: block = '', 2: behind = '', index }) => {
    if (!block.startsWith('curl ')) return [];
    const title = /.*^#+ (.*?)$/ms.exec(page.slice(0, index))?.[1] ?? '';
    const expected = EXPECTED.exec(behind);
    if (!expected) throw new Error(`under "${title}", a call is not followed by what is answered:\n${block}`);
    const [, status, says = null, problem = null] = expected;
    return [{ title, ...callOf(block), status: Number(status), says, problem }];
  });
}

function callOf(block: string): Pick<Step, 'method' | 'path' | 'body'> {
  const [, ...words] = wordsOf(block);
  let [method, path, body]: [string, string, string | null] = ['GET', '', null];
  const headers: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const [word = '', next = ''] = words.slice(i, i + 2);
    if (word.startsWith('$API')) path = word.slice('$API'.length);
    else if (word === '-X') method = next;
    else if (word === '-H') headers.push(next);
    else if (word === '-d') body = next;
    else throw new Error(`what is "${word}" in:\n${block}`);
    if (word.startsWith('-')) i += 1;
  }
  const needed = ['X-API-Key: $KEY', ...(body === null ? [] : ['Content-Type: application/json'])];
  if (path === '' || headers.join() !== needed.join()) throw new Error(`not a call of the API:\n${block}`);
  return { method, path, body };
}

/** As a shell reads them, apart from what variables hold: quotes end nothing but themselves. */
const wordsOf = (block: string): string[] =>
  [...block.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  );
