import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';

/** How somebody uses a page. */
export interface Hands {
  /** Looks where one is after a page has come, before anything is done. */
  arrive(page: Page): Promise<void>;
  press(target: Locator): Promise<void>;
  write(target: Locator, text: string): Promise<void>;
}

export const mouse: Hands = {
  arrive: async () => undefined,
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
};

/** No page asks for more. */
const MOST_TABS = 150;

/** Tab, Enter and letters, and nothing else. Wherever the focus comes, it must be seen. */
export const keyboard: Hands = {
  async arrive(page) {
    await page.waitForLoadState();
    if ((await focused(page)) !== 'body') return;
    // a page begins at its beginning, and what every page has can be skipped
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('a.ds-skip-link');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('main#content');
  },
  async press(target) {
    await tabTo(target);
    await target.page().keyboard.press('Enter');
  },
  async write(target, text) {
    await tabTo(target);
    await target.page().keyboard.type(text);
  },
};

async function tabTo(target: Locator): Promise<void> {
  const page = target.page();
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(UNSEEN)).toBeNull();
    if (await hasFocus(target)) return;
  }
  throw new Error(`no way by Tab to ${target.toString()}`);
}

// runs in the page, which this project's TypeScript knows nothing of
const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element: unknown) => element === (globalThis as any).document.activeElement);

/** What has the focus, as a selector says it. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const { localName, id, className } = document.activeElement;
    return localName + (id ? '#' + id : className && '.' + className.split(' ')[0]);
  })()`);

/** The words of what has the focus; nothing when that is the page as a whole. */
export const focusedText = (page: Page): Promise<string> =>
  page.evaluate<string>(`document.activeElement === document.body ? '' : document.activeElement.innerText`);

/** The focused element, if it shows nothing of it or is out of sight. */
const UNSEEN = `(() => {
  const element = document.activeElement;
  if (element === document.body) return null;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const { width, height, bottom, right, top, left } = element.getBoundingClientRect();
  // 'auto' is the browser's own mark, whatever its width says
  const outlined = outlineStyle === 'auto' || (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2);
  const marked = outlined || boxShadow !== 'none';
  const inSight = width > 1 && height > 1 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  return marked && inSight ? null : element.outerHTML;
})()`;
