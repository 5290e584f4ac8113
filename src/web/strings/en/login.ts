import type { loginStatus as nb } from '../nb/login.ts';

export const loginStatus: typeof nb = {
  mismatch: {
    title: 'The name does not match',
    text: [
      'The name from the login is not the name that this appointment is for. So we can’t show it.',
      'If the link came to somebody else, they have to log in themselves. If it is for you, the insurance company may have misspelled your name: ask for help, and we will correct it.',
    ],
  },
  login_cancelled: { title: 'The login was cancelled', text: ['You can try again whenever you like.'] },
  login_expired: { title: 'The login took too long', text: ['Never mind. Please log in once more.'] },
  login_failed: {
    title: 'The login did not work',
    text: ['We could not confirm who you are. Try once more. If it still does not work, ask for help.'],
  },
  login_no_name: {
    title: 'We did not get your name',
    text: ['The login did not give us the name we need. Try another eID, or ask for help.'],
  },
  eid_unavailable: {
    title: 'The login is down just now',
    text: ['We can’t reach the eID service. Please try again in a few minutes.'],
  },
  session_ended: {
    title: 'You are logged out',
    text: ['To keep you safe we log you out after a while. Log in to go on.'],
  },
  logged_out: { title: 'You are logged out', text: ['You can close the page.'] },
};
