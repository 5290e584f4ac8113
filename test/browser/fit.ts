import type { Page } from 'playwright-core';

/** As a reader may set them, and everything must still be there (WCAG 1.4.12). */
const WIDE_TEXT = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-block-end: 2em !important; }`;

/** A sheet that is made by the reader's browser, so that the page's policy has no say in it. */
export const widenText = (page: Page): Promise<unknown> =>
  page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(WIDE_TEXT)});
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }`);

/** What of the page can be seen only by scrolling sideways, or not at all since it is cut off. */
export const misfits = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const nameOf = (element) => element.tagName.toLowerCase() + (element.className ? '.' + element.className : '');
    const all = [...document.body.querySelectorAll('*')];
    const wide = scrollWidth > clientWidth
      ? all.filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      : [];
    // what is one pixel large is for screen readers
    const cut = all.filter((element) =>
      ['hidden', 'clip'].includes(getComputedStyle(element).overflowX) && element.clientWidth > 1
      && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1));
    return [...wide.map((element) => 'too wide: ' + nameOf(element)), ...cut.map((element) => 'cut off: ' + nameOf(element))];
  })()`);
