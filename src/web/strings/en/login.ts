import type { loginStatus as nb } from '../nb/login.ts';

export const loginStatus: typeof nb = {
  mismatch: {
    title: 'The login does not fit this link',
    text: [
      'You are logged in, but we can’t show you the appointment. The link may be for somebody else, or the insurance company may have misspelled the name.',
      'Is the link for you? Ask for help, and we will put it right. If you have logged in here before with another eID, try that one.',
      'If the link is for somebody else, they have to log in themselves.',
    ],
  },
  yours: {
    title: 'This appointment is yours',
    text: [
      'You are logged in as the person the messages are for, so we do not report the address as wrong.',
      'Do they go to a wrong e-mail address or telephone number, or do you not want them? Ask for help, and we will put it right.',
    ],
  },
  login_cancelled: { title: 'The login was cancelled', text: ['You can try again whenever you like.'] },
  login_expired: { title: 'The login took too long', text: ['Never mind. Please log in once more.'] },
  login_failed: {
    title: 'The login did not work',
    text: ['We could not confirm who you are. Try once more. If it still does not work, ask for help.'],
  },
  login_elsewhere: {
    title: 'Please log in once more here',
    text: [
      'You began the login in another browser, or this browser has forgotten it. That can happen when a phone switches between apps.',
      'Nothing is lost. Log in here, and you go on in this browser.',
    ],
  },
  login_lost: {
    title: 'Please open the link once more',
    text: [
      'We can’t see which appointment the login was for. Open the link from the message you got, and log in from there.',
      'If it still does not work, please contact us.',
    ],
  },
  login_no_name: {
    title: 'We did not get your name',
    text: ['The login did not give us the name we need. Try another eID, or ask for help.'],
  },
  login_level: {
    title: 'Please use a safer login',
    text: [
      'To show you the appointment we have to know for sure that it is you. Log in once more, and choose an eID at a higher level, for example BankID with a code device, or with app and password.',
      'If you do not have one, ask for help.',
    ],
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
