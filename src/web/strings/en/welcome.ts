import type { Strings } from '../nb.ts';

export const welcome: Strings['welcome'] = {
  title: 'Book an appointment',
  from: (partner) => `${partner} has let you book an appointment here.`,
  deadline: (day) => `The last day to book is ${day}.`,
  steps: 'How it works',
  stepList: ['Log in, so that we know it is you.', 'Choose a free time.', 'Confirm. Then it is yours.'],
  closed: 'It is not possible to book here now. Log in to see why, or ask for help.',
  never: 'What we never ask for',
  neverList: [
    'Your identity number, passwords or codes by e-mail, SMS or telephone.',
    'Card numbers or payment.',
  ],
  cannotLogIn: 'Can’t log in?',
};
