import type { frame as nb } from '../nb/frame.ts';

export const frame: typeof nb = {
  skip: 'Skip to the content',
  service: 'Appointment booking',
  otherLanguage: 'Norsk',
  logout: 'Log out',
  loggedInAs: (name) => `Logged in: ${name}`,
  back: 'Back',
  login: 'Log in with BankID or another eID',
  startAgain: 'Go to the start',
  getHelp: 'Ask for help',
  seeTimes: 'See free times',
  contact: 'Need help?',
  call: 'Call',
  write: 'or write to',
  norwegianTime: 'All times are in Norwegian time.',
  onBehalfOf: (partner) => `on behalf of ${partner}`,
};
