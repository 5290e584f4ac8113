import { fetchPage, fieldsOf } from './fetch-page.js';

/** What a filter changes on the page, and who answers late. */
const PARTS = ['#results', '#places', '#found', '#awaited', '#away', '#filter-state', '#filter-clear'];

/** A filter applies as soon as it is chosen: the focus stays, and how many times are left is announced. */
export function applyFiltersOnChange() {
  const form = document.querySelector('form#filters');
  if (!(form instanceof HTMLFormElement)) return;
  sayHowMany(document);
  // they are there already
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    form.closest('details')?.removeAttribute('open');
    const found = document.getElementById('found');
    found?.setAttribute('tabindex', '-1');
    found?.focus();
  });

  let latest = new AbortController();
  const apply = async () => {
    latest.abort();
    latest = new AbortController();
    const { signal } = latest;
    const url = addressOf(form);
    const results = document.querySelector('#results');
    results?.setAttribute('aria-busy', 'true');
    try {
      const { page, url: arrived } = await fetchPage(url, { signal });
      show(page);
      goOnFrom(arrived, page);
    } catch {
      // logged out, or no answer: the browser goes there and shows what there is
      if (!signal.aborted && navigator.onLine) location.assign(url);
    }
    if (!signal.aborted) results?.removeAttribute('aria-busy');
  };
  form.addEventListener('change', () => void apply());
}

/** Who answers late is waited for here: what they have is shown as long as nothing was touched. */
export function completeTimes() {
  const whole = document.querySelector('#awaited a')?.getAttribute('href');
  if (!whole) return;
  const touched = new AbortController();
  for (const type of ['pointerdown', 'keydown', 'wheel', 'focusin', 'change'])
    addEventListener(type, () => touched.abort(), { once: true });
  fetchPage(whole, { signal: touched.signal }).then(
    ({ page }) => {
      replace('#filters', page);
      show(page);
    },
    () => undefined,
  );
}

/** @param {Document} page */
function show(page) {
  if (!page.querySelector('#results, #places')) throw new Error('another page');
  for (const part of PARTS) replace(part, page);
  sayHowMany(page);
}

/** @param {Document} page whose filters may be here by now */
function sayHowMany(page) {
  const button = document.querySelector('#filter-show');
  const counted = page.querySelector('#filter-show') ?? button;
  if (button) button.textContent = counted?.getAttribute('data-count') ?? '';
}

/** Another language and the next login lead back here. @param {string} arrived @param {Document} page */
function goOnFrom(arrived, page) {
  history.replaceState(null, '', arrived);
  const here = location.pathname + location.search;
  for (const back of document.querySelectorAll('input[name=back]')) back.setAttribute('value', here);
  const end = page.querySelector('#session')?.getAttribute('data-end-url') ?? '/';
  document.querySelector('#session')?.setAttribute('data-end-url', end);
}

/** @param {HTMLFormElement} form */
function addressOf(form) {
  const url = new URL(form.action);
  for (const [name, value] of fieldsOf(new FormData(form)))
    if (value !== '') url.searchParams.append(name, value);
  return url.href;
}

/**
 * The element stays, so that a live region is heard; its content is the new page's.
 * @param {string} part @param {Document} page
 */
function replace(part, page) {
  const [here, there] = [document.querySelector(part), page.querySelector(part)];
  if (here && there) here.replaceChildren(...there.childNodes);
}
