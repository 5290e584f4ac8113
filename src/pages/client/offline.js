/** Without the net nobody leaves a page of ours: what is typed there stays, and the page says why. */
export function stayWhileOffline() {
  const notice = document.querySelector('#offline');
  const tell = () => notice?.toggleAttribute('hidden', navigator.onLine);
  /** @param {Event} event */
  const stay = (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    // a telephone number does not, nor a place on this page
    const needsNet = event.type === 'submit' || (link?.protocol.startsWith('http') && !link.hash);
    if (navigator.onLine || !needsNet) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  // before who would take it for sent
  for (const type of ['submit', 'click']) addEventListener(type, stay, { capture: true });
  for (const type of ['online', 'offline']) addEventListener(type, tell);
  tell();
}
