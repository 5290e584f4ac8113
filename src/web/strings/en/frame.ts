import type { frame as nb } from '../nb/frame.ts';

export const frame: typeof nb = {
  skip: 'Skip to main content',
  service: 'Appointment booking',
  onBehalfOf: (partner) => `for ${partner}`,
  otherLanguage: 'Norsk',
  logout: 'Log out',
  back: 'Back',
  login: 'Log in',
  loginAgain: 'Log in again',
  startAgain: 'Go to the start',
  getHelp: 'Ask for help',
  seeTimes: 'See available times',
  norwegianTime: 'All times are Norwegian time.',
  fault: (title) => `Error: ${title}`,

  support: {
    title: 'Need help?',
    call: 'Call us on',
    write: 'or write to',
  },

  session: {
    who: (name) => `You are logged in as ${name}.`,
    until: (time) => `We log you out at ${time} Norwegian time, unless you do something before that.`,
    last: (time) => `You will be logged out at ${time} Norwegian time. You can log in again after that.`,
    more: 'Give me more time',
    warning: 'You will soon be logged out',
    why: 'We do this so that nobody else gets to see your appointment.',
    stay: 'Stay logged in',
    close: 'Close',
  },
};
