import type * as nb from '../nb/help.ts';

export const help: typeof nb.help = {
  title: 'Ask for help',
  lead: 'Tell us what you need help with, and we will contact you.',
  noLogin: 'You do not have to log in.',
  who: (partner) =>
    `Your message is read by us who run the booking service. ${partner} does not get to see it.`,
  message: 'What do you need help with? (optional)',
  hint: (letters) =>
    `Do not write about your health, and do not write your national identity number. You can write up to ${letters} characters.`,
  contact: 'How would you like us to contact you? (optional)',
  phone: 'Call me',
  email: 'Send me an e-mail',
  either: 'Either is fine',
  send: 'Send',
  problem: 'Something has to be corrected before we can take the message',
  faults: {
    message_too_long: (letters, over) =>
      `The message is ${over} characters too long. Shorten it to ${letters} characters or fewer.`,
    contact_unknown: () => 'Choose how we should contact you.',
  },
};

export const helpReceived: typeof nb.helpReceived = {
  title: 'We have received your message',
  next: 'What happens next',
  lead: 'We read your message and contact you, usually within one working day.',
  receipt: 'We send a confirmation the same way as our other messages about the appointment.',
  canBook: 'You can still book an appointment yourself while you wait.',
  book: 'Book an appointment',
};

export const notYours: typeof nb.notYours = {
  title: 'Was the message not for you?',
  lead: (partner) =>
    `Then ${partner} probably has a wrong e-mail address or telephone number. Tell us, and we will stop sending messages there about this appointment.`,
  tells: (partner) => `We tell ${partner} that the address is wrong. We do not ask who you are.`,
  button: 'The message was not for me',
  mine: 'The message is for me',
  doneTitle: 'Thank you for telling us',
  done: 'We now stop sending messages about this, unless the person it is meant for has logged in already. You can delete the one you got.',
  later:
    'The link still works for the person it is meant for, but no messages are sent, not even if somebody books an appointment with it later.',
  mistake: 'Did you press by mistake, or do you still get more? Ask for help, and we will put it right.',
};
