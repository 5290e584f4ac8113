import type { Page } from 'playwright-core';

/** As a reader may set them, and everything must still be there (WCAG 1.4.12). */
const WIDE_TEXT = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-block-end: 2em !important; }`;

/** One sheet at a time, made by the reader's browser, so that the page's policy has no say in it. */
export const widenText = (page: Page): Promise<unknown> => addSheet(page, WIDE_TEXT);

const addSheet = (page: Page, rules: string): Promise<unknown> =>
  page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(rules)});
    document.adoptedStyleSheets = [sheet];
  }`);

/** As who sees badly sets it in the browser: the text alone, twice as large, and no more room for it (WCAG 1.4.4). */
export const enlargeText = (page: Page): Promise<unknown> =>
  addSheet(page, 'html { font-size: 200% !important; }');

/** What of the page can be seen only by scrolling sideways, or not at all since it is cut off. */
export const misfits = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const nameOf = (element) => element.tagName.toLowerCase() + (element.className ? '.' + element.className : '');
    const all = [...document.body.querySelectorAll('*')];
    const wide = scrollWidth > clientWidth
      ? all.filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      : [];
    // what is one pixel large is for screen readers; what stands in a field can be read by going through it
    const cut = all.filter((element) =>
      ['hidden', 'clip'].includes(getComputedStyle(element).overflowX) && element.clientWidth > 1 && element.tagName !== 'INPUT'
      && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1));
    // letters that reach over the edge of the page, or of what clips them
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const clipped = [];
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const lines = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
      let edge = clientWidth;
      for (let box = texts.currentNode.parentElement; box; box = box.parentElement)
        if (['hidden', 'clip'].includes(getComputedStyle(box).overflowX)) edge = Math.min(edge, box.getBoundingClientRect().right);
      const isHidden = texts.currentNode.parentElement.closest('.ds-sr-only, .ds-skip-link, [hidden], dialog:not([open])');
      if (!isHidden && lines.some(({ right, left }) => right > edge + 1 || left < -1)) clipped.push(texts.currentNode.data.trim());
    }
    return [...clipped.map((text) => 'clipped: ' + text), ...wide.map((element) => 'too wide: ' + nameOf(element)), ...cut.map((element) => 'cut off: ' + nameOf(element))];
  })()`);
