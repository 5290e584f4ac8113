import { describe, expect, it } from '@jest/globals';
import type { Language } from '../../src/calendar/format.ts';
import { confirmPath, pathOf, pendingPath, timesPath } from '../../src/pages/paths.ts';
import { statusPage } from '../../src/pages/status.ts';
import { en } from '../../src/pages/strings/en.ts';
import { nb } from '../../src/pages/strings/nb.ts';
import { CASE_ID, context } from './page-samples.ts';
import { count, render, textOf } from './rendered.ts';

const LANGUAGES: Language[] = ['nb', 'en'];

describe('the welcome page', () => {
  it('tells a stranger who it is from and by when, and no more', () => {
    const text = textOf(render('welcome', 'nb'));
    expect(text).toContain('torsdag 30. april 2026');
    expect(text).not.toMatch(/Kari|Klinikk|Hansen/);
  });
});

describe('the welcome page of a case that can not be booked', () => {
  it('says the same whether it was booked, recalled or is over', () => {
    const text = textOf(render('welcome, not open', 'nb'));
    expect(text).toContain('Logg inn og se timen');
    expect(text).not.toMatch(/Bestill senest|frist|trukket/);
  });
});

describe('the page for somebody to whom the message was not meant', () => {
  it('explains what happens, posts, and says nothing about whose it was', () => {
    const markup = render('not yours', 'nb');
    expect(markup).toContain(`<form method="post" action="/b/${CASE_ID}/not-for-me"`);
    expect(textOf(markup)).toMatch(/Vi sier fra til Fremtind .* at adressen er feil/);
    expect(textOf(markup)).not.toContain('Kari');
  });
});

describe('the help form', () => {
  it('gives back what was typed, points to the faults, and says who reads it', () => {
    const markup = render('help with faults', 'nb');
    expect(markup).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;</textarea>');
    expect(markup).toContain('href="#message"');
    expect(markup).toContain('aria-describedby="message-hint message-fault"');
    expect(markup).toMatch(/id="contact-email"\s+value="email"\s+checked/);
    expect(textOf(markup)).toContain('leses av oss som driver timebestillingen');
    expect(textOf(markup)).toMatch(/Fremtind .* får ikke se den/);
    expect(textOf(/<title>.*<\/title>/.exec(markup)?.[0] ?? '')).toMatch(/^ Feil: /);
  });
});

describe('a status page without a case', () => {
  it.each(LANGUAGES)('stands on its own in %s', (language) => {
    const markup = String(statusPage({ ...context(language), visit: null }, 'unknown_case'));
    expect(count(markup, /<h1[ >]/g)).toBe(1);
    expect(markup.match(/<form[^>]*action="[^"]*"/g)).toEqual(['<form method="post" action="/language"']);
    expect(markup).toContain('tel:+4722123456');
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
    expect(english.filter((text, i) => text === norwegian[i])).toEqual(['for X', 'Video', 'Send']);
  });
});

describe('the paths', () => {
  it('are built in one place', () => {
    expect(pathOf('calendar', CASE_ID)).toBe(`/b/${CASE_ID}/appointment.ics`);
    expect(timesPath(CASE_ID)).toBe(`/b/${CASE_ID}/times`);
    expect(pendingPath(CASE_ID, { slot: 'x', since: 7 })).toBe(`/b/${CASE_ID}/pending?slot=x&since=7`);
    expect(confirmPath(CASE_ID, 'x')).toBe(`/b/${CASE_ID}/confirm?slot=x`);
  });
});
