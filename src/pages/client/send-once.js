/** A second click on a button that is still working sends nothing. The server would see to it too, but later. */
export function sendOnce() {
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
