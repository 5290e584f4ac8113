import { fetchPage, fieldsOf } from './fetch-page.js';

/** What a filter changes on the page. */
const PARTS = ['#results', '#found', '#filter-state', '#filter-clear'];

/** A filter applies as soon as it is chosen: the focus stays, and how many times are left is announced. */
export function applyFiltersOnChange() {
  const form = document.querySelector('form#filters');
  if (!(form instanceof HTMLFormElement)) return;
  // the button is for those without a script
  form.querySelector('button')?.setAttribute('hidden', '');

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
      if (!page.querySelector('#results')) throw new Error('another page');
      for (const part of PARTS) replace(part, page);
      history.replaceState(null, '', arrived);
      results?.removeAttribute('aria-busy');
    } catch {
      // logged out, or no answer: the browser goes there and shows what there is
      if (!signal.aborted) location.assign(url);
    }
  };
  form.addEventListener('change', () => void apply());
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
