import { fetchPage } from './fetch-page.js';

/** While the page says that something is under way, it asks itself again, and goes on to what came of it. */
export function keepLooking() {
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
