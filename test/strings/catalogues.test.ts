import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '../../src/calendar/format.ts';
import { isList, isText, namesIn, speak, type Translation } from '../../src/strings/catalogue.ts';
import { CATALOGUES } from '../../src/strings/strings.ts';

type Node = string | Readonly<Record<string, unknown>> | readonly unknown[];

/** Every text by its place, such as `help.faults.contact_unknown`; a list is one, since its length may differ. */
function textsOf(node: Node, place = ''): Map<string, Parameters<typeof namesIn>[0]> {
  if (isList(node)) return new Map([[place, node]]);
  if (isText(node)) return new Map([[place, [node]]]);
  const below = Object.entries(node as Readonly<Record<string, Node>>);
  return new Map(
    below.flatMap(([key, value]) => [...textsOf(value, place === '' ? key : `${place}.${key}`)]),
  );
}

const TEXTS = Object.fromEntries(LANGUAGES.map((language) => [language, textsOf(CATALOGUES[language])]));
const textsIn = (language: string) => TEXTS[language] ?? new Map<string, Parameters<typeof namesIn>[0]>();
const bokmaal = textsIn('nb');

const formsOf = (text: Parameters<typeof namesIn>[0][number]): readonly (string | undefined)[] =>
  typeof text === 'string' ? [text] : Object.values(text);

describe.each(LANGUAGES)('the catalogue of %s', (language) => {
  const texts = textsIn(language);

  it('has every text, and none that nobody says', () => {
    expect([...texts.keys()].sort()).toEqual([...bokmaal.keys()].sort());
  });

  it('leaves none empty, with no space too many, and no brace unclosed', () => {
    for (const [place, list] of texts) {
      expect([place, list.length]).not.toEqual([place, 0]);
      for (const form of list.flatMap(formsOf)) {
        expect([place, form]).toEqual([place, form?.trim()]);
        expect([place, form]).not.toEqual([place, '']);
        expect([place, form?.replaceAll(/\{\w+\}/g, 'x')]).not.toEqual([
          place,
          expect.stringMatching(/[{}]| {2}/),
        ]);
      }
    }
  });

  it('names the same values in each text as bokmål does', () => {
    const names = (of: typeof texts) =>
      Object.fromEntries([...of].map(([place, list]) => [place, namesIn(list)] as const));
    expect(names(texts)).toEqual(names(bokmaal));
  });

  it('has each form that the language has, where a number decides', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [place, list] of texts)
      for (const text of list.filter((one) => typeof one !== 'string')) {
        const forms = Object.keys(text).filter((form) => !form.startsWith('='));
        const isEachSaid = '=1' in text && '=0' in text;
        expect([place, forms.sort()]).toEqual([place, isEachSaid ? ['other'] : pluralCategories.toSorted()]);
      }
  });
});

describe('a translation', () => {
  it('is no copy of the bokmål, but for what is the same in both', () => {
    const same = [...textsIn('en')].filter(
      ([place, list]) => JSON.stringify(list) === JSON.stringify(bokmaal.get(place)),
    );
    expect(same.map(([place]) => place)).toEqual([
      'onBehalfOf',
      'facts.mode.video',
      'help.send',
      'messages.email.receipt.preview',
      'messages.email.appointment_reminder.preview',
    ]);
  });

  it('into nynorsk has no word that is bokmål', () => {
    const NOT_NYNORSK =
      /\b(ikke|noe|noen|jeg|hva|hvordan|hvorfor|hvem|hvor|hvis|fra|bare|mer|timer|timene|uke|uken|sted|velg|velger|siden|lenken|meldingen|adressen|innloggingen|klinikkene|minutter|allerede|fortsatt|heller ikke|være|gjøre|trenger|bekreft\w*|får|gikk|ble|åpne|si)\b/i;
    // in both
    const both = /\b(får|sidan)\b/gi;
    for (const [place, list] of textsIn('nn'))
      for (const form of list.flatMap(formsOf))
        expect([place, form?.replaceAll(both, '').match(NOT_NYNORSK)?.[0]]).toEqual([place, undefined]);
  });

  it('into bokmål has no word that is nynorsk', () => {
    for (const [place, list] of bokmaal)
      for (const form of list.flatMap(formsOf))
        expect([
          place,
          /\b(ikkje|noko|nokon|korleis|kvifor|berre|veke|stad|vel|sjå|timar|timane)\b/i.exec(form ?? ''),
        ]).toEqual([place, null]);
  });
});

describe('the words', () => {
  /** Read aloud, these were stiff, wrong, or understood otherwise: "30 timer" as thirty hours. */
  const NOT_AGAIN: Readonly<Record<string, RegExp>> = {
    nb: /\{count\} timer\b|i kalenderen sin|utgår|den det gjelder alt|passer ikke til denne lenken|siste dag å bestille er|ikke hel\b|siden var for gammel|passer med|fjern filtrene|bestill senest/i,
    nn: /\{count\} timar\b|i kalenderen sin|går ut dessverre|passar ikkje til denne lenkja|siste dag å bestille er|ikkje heil\b|sida var for gammal|passar med|fjern filtera|bestill seinast/i,
    en: /does not fit this link|time that holds now|get no answer from|^off: |remove the filters/i,
  };

  it.each(LANGUAGES)('that nobody understood do not come back, in %s', (language) => {
    for (const [place, list] of textsIn(language))
      for (const form of list.flatMap(formsOf))
        expect([place, NOT_AGAIN[language]?.exec(form ?? '')?.[0]]).toEqual([place, undefined]);
  });
});

describe('a text in which a number decides', () => {
  const catalogue: Translation = {
    ...CATALOGUES.nb,
    times: {
      ...CATALOGUES.nb.times,
      onDay: { '=0': 'none', one: '{count} a', two: '{count} b', other: '{count} c' },
    },
  };
  const said = (locale: string) =>
    [0, 1, 2, 3].map((count) => speak(catalogue, locale).times.onDay({ count }));

  it('has the forms of its language: three in Northern Sami', () => {
    expect(said('se')).toEqual(['none', '1 a', '2 b', '3 c']);
    expect(said('nb')).toEqual(['none', '1 a', '2 c', '3 c']);
  });
});

describe('a value', () => {
  it('is shown as it is, whatever stands in it', () => {
    const { welcome } = speak(CATALOGUES.nb, 'nb');
    expect(welcome.from({ partner: '{day} $& {partner}' })).toMatch(/^\{day\} \$& \{partner\} har gitt deg/);
  });
});
