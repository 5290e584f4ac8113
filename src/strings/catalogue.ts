import type { nb } from './nb.ts';

/**
 * A text as its translator writes it: words, with `{names}` where values go; or, where a number decides, one for each
 * form that the language has (`one` and `other` in Norwegian and English, `two` as well in Northern Sami), the number
 * being `{count}`. `=0` and `=1` come before the forms, for what is said otherwise.
 */
type Text = string | ByCount;

type ByCount = { readonly [form in Intl.LDMLPluralRule | `=${number}`]?: string } & {
  readonly other: string;
};

/** All texts of a language, as bokmål has them. */
export type Translation = TranslationOf<typeof nb>;

type TranslationOf<T> = T extends string
  ? string
  : T extends ByCount
    ? ByCount
    : T extends readonly Text[]
      ? readonly Text[]
      : { readonly [K in keyof T]: TranslationOf<T[K]> };

/** The same for who shows them: words without a `{name}` are strings, the others take the values of theirs. */
export type Strings = Said<typeof nb>;

type Said<T> = T extends string
  ? SaidWith<NamesIn<T>, string>
  : T extends ByCount
    ? SaidWith<NamesIn<T[keyof T]> | 'count', string>
    : T extends readonly Text[]
      ? SaidWith<
          NamesIn<Written<T[number]>> | (T[number] extends string ? never : 'count'),
          readonly string[]
        >
      : { readonly [K in keyof T]: Said<T[K]> };

type SaidWith<Names extends string, Words> = [Names] extends [never]
  ? Words
  : (values: Values<Names>) => Words;

type Values<Names extends string> = { readonly [name in Names]: name extends 'count' ? number : Value };
type Value = string | number;

type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Every form of texts. */
type Written<T> = T extends ByCount ? T[keyof T] : T;

export type StatusKind = keyof Strings['status'];

/**
 * Makes a language's catalogue ready to be said.
 *
 * @param locale says which forms go with which numbers
 */
export const speak = (catalogue: Translation, locale: string): Strings =>
  said(catalogue, new Intl.PluralRules(locale)) as Strings;

function said(texts: unknown, rules: Intl.PluralRules): unknown {
  const write = (text: Text, values: Readonly<Record<string, Value>>) =>
    fill(typeof text === 'string' ? text : formOf(text, Number(values['count']), rules), values);
  if (isList(texts))
    return namesIn(texts).length === 0
      ? texts
      : (values: Readonly<Record<string, Value>>) => texts.map((text) => write(text, values));
  if (isText(texts))
    return namesIn([texts]).length === 0
      ? texts
      : (values: Readonly<Record<string, Value>>) => write(texts, values);
  return Object.fromEntries(
    Object.entries(texts as object).map(([key, below]) => [key, said(below, rules)] as const),
  );
}

const isByCount = (node: unknown): node is ByCount =>
  typeof node === 'object' && node !== null && 'other' in node && typeof node.other === 'string';
export const isText = (node: unknown): node is Text => typeof node === 'string' || isByCount(node);
export const isList = (node: unknown): node is readonly Text[] => Array.isArray(node);

/** The names of the values that these texts take, each once, in alphabetical order. */
export function namesIn(texts: readonly Text[]): readonly string[] {
  const names = texts.flatMap((text) => [
    ...(typeof text === 'string' ? [] : ['count']),
    ...Object.values(typeof text === 'string' ? [text] : text).flatMap((form) =>
      [...(form ?? '').matchAll(NAME)].map(([, name = '']) => name),
    ),
  ]);
  return [...new Set(names)].sort();
}

const NAME = /\{(\w+)\}/g;

const formOf = (text: ByCount, count: number, rules: Intl.PluralRules): string =>
  text[`=${count}`] ?? text[rules.select(count)] ?? text.other;

const fill = (text: string, values: Readonly<Record<string, Value>>): string =>
  text.replaceAll(NAME, (_, name: string) => String(values[name]));
