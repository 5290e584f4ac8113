import type { Strings } from '../nb.ts';

export const help: Strings['help'] = {
  title: 'Ask for help',
  lead: 'Tell us what you need help with, and we will contact you. You need not log in.',
  private: (partner) => `${partner} does not see what you write.`,
  message: 'What do you need help with? (optional)',
  hint: (letters) => `Do not write about your health or your identity number. At most ${letters} characters.`,
  contact: 'How shall we contact you? (optional)',
  phone: 'Telephone',
  email: 'E-mail',
  send: 'Send',
  problem: 'Something has to be corrected',
  faults: {
    message_too_long: (letters) => `The text is too long. Write at most ${letters} characters.`,
    contact_unknown: () => 'Choose telephone or e-mail.',
  },
};

export const helpReceived: Strings['helpReceived'] = {
  title: 'We have received your message',
  lead: 'We will contact you as soon as we can, usually within one working day.',
  canBook: 'You can still book an appointment yourself.',
};
