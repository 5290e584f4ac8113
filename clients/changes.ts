import { apiDiff, type Diff } from 'api-smart-diff';
import type { oas31 } from 'zod-openapi';

/** What differs between two descriptions, in words: what breaks clients that were made by the first, and what does not. */
export function changesOf(
  before: oas31.OpenAPIObject,
  after: oas31.OpenAPIObject,
): {
  readonly breaking: readonly string[];
  readonly others: readonly string[];
  /** Not a word is other than before. */
  readonly isSame: boolean;
} {
  // it writes into what it compares
  const changes = apiDiff(structuredClone(before), structuredClone(after));
  // what happens to a component shows where it is used
  const isBreaking = ({ type, action, path }: Diff): boolean =>
    type === 'breaking' && path[0] === 'paths' && !(action === 'add' && isInOpenEnum(after, path));
  return {
    isSame: changes.length === 0,
    breaking: wordsOf(changes.filter(isBreaking)),
    others: wordsOf(changes.filter((change) => change.type !== 'annotation' && !isBreaking(change))),
  };
}

/** What an alternative has that any text is good for. */
const ANY_TEXT = ['type', 'description'];

type Node = Readonly<Record<PropertyKey, unknown>>;

/** Whether it is a value of an enumeration that may become more: beside it, any text is allowed. */
function isInOpenEnum(document: object, path: Diff['path']): boolean {
  const last = path.lastIndexOf('anyOf');
  if (last < 0 || !path.slice(last).includes('enum')) return false;
  const resolve = (node: Node): Node => {
    const { $ref } = node;
    if (typeof $ref !== 'string') return node;
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<Node>((at, name) => at[name] as Node, document as Node);
    return { ...resolve(target), ...node, $ref: undefined };
  };
  // a reference with words beside it is an `allOf` to whoever compared them
  const found = path.slice(0, last).reduce<Node>((at, name, i) => {
    const isMadeUp = (name === 'allOf' || path[i - 1] === 'allOf') && !('allOf' in at) && !(name in at);
    return isMadeUp ? at : resolve(at[name] as Node);
  }, document as Node);
  const ways = found['anyOf'] as readonly Node[];
  return ways.some(
    (way) => way['type'] === 'string' && Object.keys(way).every((key) => ANY_TEXT.includes(key)),
  );
}

/** Each once, though a schema is in many calls; with the first of them. */
function wordsOf(found: readonly Diff[]): string[] {
  const byWhat = Map.groupBy(found, ({ path, action }) =>
    [action, ...path.slice(Math.max(0, path.lastIndexOf('schema')))].join('/'),
  );
  return [...byWhat.values()].map((same) => {
    const [{ action, path, description } = { action: '', path: [], description: '' }] = same;
    const more = same.length > 1 ? ` (and in ${same.length - 1} other places)` : '';
    return `${path.slice(1, 3).reverse().join(' ')}: ${description || action} [${path.slice(3).join('/')}]${more}`;
  });
}
