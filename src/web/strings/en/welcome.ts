import type { welcome as nb } from '../nb/welcome.ts';

export const welcome: typeof nb = {
  title: 'Book your appointment',
  from: (partner) =>
    `${partner} has given you access to book an appointment. You choose the time and the place.`,
  deadline: (day) => `Book no later than ${day}.`,
  loginHint: 'You log in with an electronic ID, such as BankID. It all takes a minute or two.',
  loginToBook: 'Log in and choose a time',
  steps: 'How it works',
  stepList: [
    'Log in, so that we know it is you.',
    'Choose a time that suits you.',
    'Confirm, and it is yours.',
  ],
  closedTitle: 'Appointment booking',
  closed:
    'If you have booked an appointment, you find it here and can change or cancel it. If you have not, you can see why that is not possible now.',
  loginToSee: 'Log in to see your appointment',
  ended: 'You have been logged out because nothing happened for a while. Log in again to continue.',
  never: 'We never ask you for',
  neverList: [
    'your national identity number, passwords or codes by e-mail, SMS or telephone',
    'card numbers or payment',
  ],
  neverButThere:
    'When you log in, BankID or another eID may ask for your national identity number and a code. You are on their page then, not on ours.',
  cannotLogIn: 'Can’t log in?',
  cannotLogInText: 'We can help you without a login, too.',
  notYours: 'Is this not for you?',
  notYoursLink: 'Tell us that the message was not for you',
};
