import { fetchPage } from './fetch-page.js';

/** Warns before the session ends, and makes it last longer by one click. Other tabs of the same customer count too. */
export function warnBeforeSessionEnd() {
  const notice = document.querySelector('#session');
  const dialog = document.querySelector('#session-warning');
  if (!(notice instanceof HTMLElement) || !(dialog instanceof HTMLDialogElement)) return;
  const { warnSeconds } = notice.dataset;
  const tabs = new BroadcastChannel('session');
  /** By this browser's clock, whether it is right or not. */
  let endsAt = Date.now() + Number(notice.dataset['secondsLeft']) * 1000;
  let wasWarned = false;
  /** @type {number | undefined} */
  let timer;

  const watch = () => {
    clearTimeout(timer);
    const left = endsAt - Date.now();
    const untilWarning = left - Number(warnSeconds) * 1000;
    if (left <= 0) {
      leave();
      return;
    }
    if (untilWarning <= 0 && !wasWarned) {
      wasWarned = true;
      dialog.showModal();
    }
    timer = setTimeout(watch, untilWarning > 0 ? untilWarning : left);
  };
  /** @param {number} end */
  const goOnUntil = (end) => {
    if (end <= endsAt) return;
    endsAt = end;
    wasWarned = false;
    dialog.close();
    watch();
  };
  const leave = () => {
    dialog.close();
    // what is being written to us needs no login, and is not to be lost
    if (!document.querySelector('textarea')?.value) location.replace(notice.dataset['endUrl'] ?? '/');
  };

  dialog.querySelector('form[data-extends]')?.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    event.preventDefault();
    dialog.close();
    void extend(form, notice).then(
      (secondsLeft) => {
        goOnUntil(Date.now() + secondsLeft * 1000);
        tabs.postMessage(endsAt);
      },
      () => form.submit(),
    );
  });
  tabs.onmessage = ({ data }) => goOnUntil(Number(data));
  tabs.postMessage(endsAt);
  // timers stand still while the telephone sleeps
  document.addEventListener('visibilitychange', watch);
  addEventListener('pageshow', watch);
  watch();
}

/**
 * @param {HTMLFormElement} form @param {HTMLElement} notice
 * @returns {Promise<number>} how many seconds the session lasts now
 */
async function extend(form, notice) {
  const answer = new FormData(form);
  // whatever page we are on may take long to make; this one does not
  answer.set('back', notice.dataset['lightUrl'] ?? '');
  const { page } = await fetchPage(form.action, { form: answer });
  const renewed = page.querySelector('#session');
  if (!(renewed instanceof HTMLElement)) throw new Error('the session is over');
  for (const part of document.querySelectorAll('[data-session-until]'))
    part.textContent = renewed.querySelector('[data-session-until]')?.textContent ?? '';
  return Number(renewed.dataset['secondsLeft']);
}
