/*
 * What our pages do better with a script. Each works without: a form posts, a link leads on, and the page says when the
 * session ends. Nothing here has words of its own, since the server knows the language.
 */
import { fetchPage } from './fetch-page.js';
import { applyFiltersOnChange, completeTimes } from './filters.js';
import { stayWhileOffline } from './offline.js';
import { warnBeforeSessionEnd } from './session.js';

stayWhileOffline();
sendOnce();
applyFiltersOnChange();
completeTimes();
refreshPending();
warnBeforeSessionEnd();

/** A second click on a button that is still working sends nothing. The server would see to it too, but later. */
function sendOnce() {
  /** @type {Set<EventTarget>} */
  const sent = new Set();
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.method !== 'post' || event.defaultPrevented) return;
    if (sent.has(form)) {
      event.preventDefault();
      return;
    }
    sent.add(form);
    const button = event.submitter;
    // not disabled: a disabled button loses the focus, and its value is not sent
    button?.setAttribute('aria-busy', 'true');
  });
  // back by the browser's button, to the page as it was left
  addEventListener('pageshow', () => {
    sent.clear();
    for (const button of document.querySelectorAll('[aria-busy]')) button.removeAttribute('aria-busy');
  });
}

/** While the page says that something is under way, it asks itself again, and goes on to what came of it. */
function refreshPending() {
  const pending = document.querySelector('[data-again-seconds]');
  if (!(pending instanceof HTMLElement)) return;
  const wait = Number(pending.dataset['againSeconds']) * 1000;
  const look = async () => {
    try {
      const { page, url } = await fetchPage(location.href);
      if (!page.querySelector('[data-again-seconds]')) {
        location.replace(url);
        return;
      }
    } catch {
      // no answer is no outcome
    }
    setTimeout(() => void look(), wait);
  };
  setTimeout(() => void look(), wait);
}
