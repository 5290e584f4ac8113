import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { type Language, LANGUAGES } from '../../src/calendar/format.ts';
import { assetPath, ASSETS } from '../../src/pages/assets.ts';
import { context, count, PAGES, render, stranger, textOf } from './page-samples.ts';

const EACH = LANGUAGES.flatMap((language) =>
  Object.keys(PAGES).map((name): [string, Language] => [name, language]),
);

/** Where nothing is left to do here, the footer says whom to call. */
const ENDS = ['unknown_case', 'recalled', 'archived', 'login_lost'];

/** Over the wire, for a browser that is behind the times. */
const packed = (content: string): number => gzipSync(content).length;
const ASSETS_WEIGH = [...ASSETS.values()].reduce((sum, { content }) => sum + packed(content), 0);

describe.each(EACH)('the page "%s" in %s', (name, language) => {
  const markup = render(name, language);
  const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(markup) ?? [];

  it('has its language, one heading of the first order, and one main part', () => {
    expect(markup.trimStart()).toMatch(/^<!doctype html>/);
    expect(markup).toContain(`<html lang="${language}"`);
    expect(count(markup, /<h1[ >]/g)).toBe(1);
    expect(count(markup, /<main\s/g)).toBe(1);
    expect(markup).toContain('href="#content"');
    expect(markup).toMatch(/<title>[^<]+<\/title>/);
  });

  it('names the service and on whose behalf it is', () => {
    const [header = ''] = /<header[\s\S]*<\/header>/.exec(markup) ?? [];
    expect(textOf(header)).toContain('for Fremtind');
    expect(textOf(/<title>.*<\/title>/.exec(markup)?.[0] ?? '')).toContain('for Fremtind');
  });

  it('lets nothing unescaped or unsaid through', () => {
    expect(markup).not.toContain('<img');
    expect(textOf(markup)).not.toMatch(/undefined|null|\[object|=>|NaN|Invalid/);
  });

  it('runs no script but our own file, has no style of its own, and asks no other origin', () => {
    expect(markup.match(/<script[\s\S]*?<\/script>/g)).toEqual([
      `<script type="module" src="${assetPath('pages.js')}"></script>`,
    ]);
    // a map is only ever gone to, by who wants to see it
    const ours = markup.replaceAll(
      /<a [^>]*href="https:\/\/www\.openstreetmap\.org\/[^"]*" rel="noreferrer"/g,
      '',
    );
    expect(ours).not.toMatch(/<style|style=|\son\w+="|javascript:|https?:\/\//);
    for (const [, path = ''] of markup.matchAll(/(?:src|href)="(\/assets\/[^"]*)"/g))
      expect([...ASSETS.keys()].map(assetPath)).toContain(path);
  });

  it('sends a token with every form that changes something, and has an id only once', () => {
    const forms = markup.match(/<form[^>]*method="post"[\s\S]*?<\/form>/g) ?? [];
    for (const form of forms) expect(form).toContain('name="_token" value="token-1"');
    const ids = [...markup.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const named = [...markup.matchAll(/\s(?:for|aria-labelledby|aria-describedby)="([^"]*)"/g)];
    for (const [, all = ''] of named) for (const id of all.split(' ')) expect(ids).toContain(id);
  });

  it('says whom to call, and offers the other languages on the same page', () => {
    expect(markup).toContain('tel:+4722123456');
    expect(markup).toContain('mailto:hjelp@example.no');
    const [, form = ''] = /<form method="post" action="\/language"([\s\S]*?)<\/form>/.exec(markup) ?? [];
    expect(form).toMatch(/name="back" value="\/b\/[^"]*"/);
    const offered = [...form.matchAll(/name="language"\s+value="(..)"\s+lang="(..)"/g)];
    const others = LANGUAGES.filter((one) => one !== language);
    expect(offered.map(([, value, lang]) => [value, lang])).toEqual(others.map((one) => [one, one]));
  });

  it('leads on, with one thing to do first of all', () => {
    if (!ENDS.includes(name)) expect(main).toMatch(/class="(ds-button|time)"/);
    expect(count(main, /data-variant="primary"/g)).toBeLessThanOrEqual(1);
  });

  it('brings the focus to one place at most', () => {
    expect(count(main, / autofocus/g)).toBeLessThanOrEqual(1);
  });

  it('weighs less than 100 kB with everything that belongs to it', () => {
    expect(Buffer.byteLength(markup) + ASSETS_WEIGH).toBeLessThan(100_000);
  });
});

describe('the session on a page', () => {
  it('says until when it lasts, in Norwegian time, and gives more without a script', () => {
    expect(textOf(render('receipt', 'nb'))).toContain('Vi logger deg ut kl. 08.15 norsk tid');
    expect(textOf(render('receipt', 'en'))).toContain('We log you out at 08:15 Norwegian time');
    expect(render('receipt', 'nb')).toMatch(/<form method="post" action="[^"]*\/session"/);
  });

  it('is not to be lengthened when that gives nothing any more', () => {
    const markup = render('times, the session lasting no longer', 'nb');
    expect(markup).not.toMatch(/action="[^"]*\/session"/);
    expect(textOf(markup)).toContain('Du blir logget ut kl. 08.15 norsk tid');
  });

  it('is no matter for somebody who has not logged in', () => {
    const markup = String(PAGES['help']?.(stranger('nb')));
    expect(markup).not.toMatch(/<dialog|id="session"|id="logout"/);
    expect(textOf(markup)).not.toContain('Kari');
  });
});

describe('the page of something under way', () => {
  it('updates itself without a script too, and no other page does', () => {
    const refreshing = Object.keys(PAGES).filter((name) =>
      render(name, 'nb').includes('http-equiv="refresh"'),
    );
    expect(refreshing).toEqual(['pending confirm', 'pending cancel']);
    expect(render('pending confirm', 'nb')).toMatch(
      /<noscript><meta http-equiv="refresh" content="\d+" \/><\/noscript>/,
    );
    expect(String(PAGES['pending confirm']?.(context('nb')))).toMatch(/<main[^>]*data-again-seconds="\d+"/);
  });
});
