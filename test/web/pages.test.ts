import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import type { Language } from '../../src/calendar/format.ts';
import { STYLESHEETS } from '../../src/web/assets.ts';
import { statusPage } from '../../src/web/pages/status.ts';
import { timesPage } from '../../src/web/pages/times.ts';
import { confirmPath, pathOf, timesPath } from '../../src/web/paths.ts';
import { en } from '../../src/web/strings/en.ts';
import { nb } from '../../src/web/strings/nb.ts';
import { CASE_ID, PAGES, TIMES, context, slotAt } from './page-samples.ts';

const LANGUAGES: Language[] = ['nb', 'en'];
const EACH = LANGUAGES.flatMap((language) =>
  Object.keys(PAGES).map((name): [string, Language] => [name, language]),
);

const render = (name: string, language: Language): string => String(PAGES[name]?.(context(language)));
const count = (markup: string, pattern: RegExp): number => markup.match(pattern)?.length ?? 0;
const textOf = (markup: string): string => markup.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe.each(EACH)('the page "%s" in %s', (name, language) => {
  const markup = render(name, language);

  it('has its language, one heading of the first order, and one main part', () => {
    expect(markup.trimStart()).toMatch(/^<!doctype html>/);
    expect(markup).toContain(`<html lang="${language}"`);
    expect(count(markup, /<h1[ >]/g)).toBe(1);
    expect(count(markup, /<main[ >]/g)).toBe(1);
    expect(markup).toContain('href="#content"');
    expect(markup).toMatch(/<title>[^<]+<\/title>/);
  });

  it('lets nothing unescaped or unsaid through', () => {
    expect(markup).not.toContain('<img');
    expect(textOf(markup)).not.toMatch(/undefined|null|\[object|=>|NaN|Invalid/);
  });

  it('runs no script, has no style of its own, and asks no other origin', () => {
    expect(markup).not.toMatch(/<script|<style|style=|\son\w+="|https?:\/\//);
  });

  it('sends a token with every form that changes something, and has an id only once', () => {
    const forms = markup.match(/<form[^>]*method="post"[\s\S]*?<\/form>/g) ?? [];
    for (const form of forms) expect(form).toContain('name="_token" value="token-1"');
    const ids = [...markup.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const labels = [...markup.matchAll(/\s(?:for|aria-labelledby)="([^"]*)"/g)].map(([, id]) => id);
    for (const id of labels) expect(ids).toContain(id);
  });

  it('says whom to call, and offers the other language', () => {
    expect(markup).toContain('tel:+4722123456');
    expect(markup).toContain('mailto:hjelp@example.no');
    expect(markup).toContain(`value="${language === 'nb' ? 'en' : 'nb'}"`);
  });

  it('leads on', () => {
    const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(markup) ?? [];
    // where nothing is left to do here, the footer says whom to call
    const isEnd = ['unknown_case', 'login_lost', 'recalled', 'archived'].includes(name);
    if (!isEnd) expect(main).toMatch(/class="ds-button"/);
  });
});

describe('the welcome page', () => {
  it('tells a stranger who it is from and by when, and no more', () => {
    const page = context('nb');
    const stranger = { ...page, visit: { ...page.visit, customerName: null } };
    const text = textOf(String(PAGES['welcome']?.(stranger)));
    expect(text).toContain('torsdag 30. april 2026');
    expect(text).not.toMatch(/Kari|Klinikk|Hansen/);
  });
});

describe('the times page', () => {
  it('groups the times by day in Norway, over the change to summer time', () => {
    const text = textOf(render('times', 'nb'));
    expect(text).toContain('fredag 27. mars 2026 kl. 09.00–09.45');
    expect(text).toContain('kl. 14.30–15.15');
    expect(text).toContain('mandag 30. mars 2026 kl. 09.00–09.45');
  });

  it('says which days have no times, several in a row at once', () => {
    const text = textOf(render('times', 'nb'));
    expect(text).toContain('lørdag 28. mars 2026 til søndag 29. mars 2026: ingen ledige timer');
    expect(text).toContain('tirsdag 31. mars 2026 til onsdag 1. april 2026: ingen ledige timer');
  });

  it('names the providers that do not answer, and shows the others', () => {
    const [nord, sor] = TIMES.providers;
    if (!nord || !sor) throw new Error('two providers');
    const providers = [nord, { ...sor, state: 'unavailable' as const }];
    const text = textOf(String(timesPage(context('nb'), { ...TIMES, providers })));
    expect(text).toContain('Vi får ikke svar fra Klinikk Sør akkurat nå');
    expect(text).toContain('kl. 14.30–15.15');
    expect(textOf(render('times, all away', 'nb'))).toContain('fra noen av stedene');
  });

  it('leads from a time to its confirmation, whatever characters its id has', () => {
    const slots = [slotAt('2026-03-27T08:00:00Z', 'a+b/c=&d')];
    const markup = String(timesPage(context('nb'), { ...TIMES, slots }));
    expect(markup).toContain(`href="/b/${CASE_ID}/confirm?slot=a%2Bb%2Fc%3D%26d"`);
  });

  it('keeps the chosen provider on the way to later days', () => {
    const [nord] = TIMES.providers;
    const markup = String(timesPage(context('nb'), { ...TIMES, onlyProvider: nord?.id ?? null }));
    expect(markup).toMatch(/<option value="nord" selected/);
    expect(markup).toContain('times?from=2026-04-02&amp;provider=nord');
  });
});

describe('the help form', () => {
  it('gives back what was typed, points to the faults, and says who reads it', () => {
    const markup = render('help with faults', 'nb');
    expect(markup).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;</textarea>');
    expect(markup).toContain('href="#message"');
    expect(markup).toContain('aria-describedby="message-hint message-fault"');
    expect(markup).toMatch(/id="contact-email"\s+value="email"\s+checked/);
    expect(textOf(markup)).toContain('får ikke se det du skriver');
  });
});

describe('a status page without a case', () => {
  it.each(LANGUAGES)('stands on its own in %s', (language) => {
    const markup = String(statusPage({ ...context(language), visit: null }, 'unknown_case'));
    expect(count(markup, /<h1[ >]/g)).toBe(1);
    expect(markup).not.toContain('<form');
    expect(markup).toContain('tel:+4722123456');
  });
});

describe('the page of a confirm under way', () => {
  it('updates itself, and no other page does', () => {
    const refreshing = Object.keys(PAGES).filter((name) =>
      render(name, 'nb').includes('http-equiv="refresh"'),
    );
    expect(refreshing).toEqual(['confirming']);
  });
});

describe('the strings', () => {
  it('differ between the languages everywhere', () => {
    const said = (value: unknown): string[] => {
      if (typeof value === 'string') return [value];
      if (typeof value === 'function') return [String((value as (...words: string[]) => unknown)('X', 'Y'))];
      return Object.values(value as object).flatMap(said);
    };
    const [norwegian, english] = [said(nb), said(en)];
    expect(english).toHaveLength(norwegian.length);
    expect(english.filter((text, i) => text === norwegian[i])).toEqual(['Video', 'Send']);
  });
});

describe('the paths', () => {
  it('are built in one place', () => {
    expect(pathOf('calendar', CASE_ID)).toBe(`/b/${CASE_ID}/appointment.ics`);
    expect(timesPath(CASE_ID)).toBe(`/b/${CASE_ID}/times`);
    expect(timesPath(CASE_ID, { provider: 'nord', from: null })).toBe(`/b/${CASE_ID}/times?provider=nord`);
    expect(confirmPath(CASE_ID, 'x')).toBe(`/b/${CASE_ID}/confirm?slot=x`);
  });

  it('of the stylesheets lead to files', () => {
    for (const { file } of STYLESHEETS) expect(existsSync(file)).toBe(true);
  });
});
