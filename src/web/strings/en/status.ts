import type { caseStatus as nb } from '../nb/status.ts';

export const caseStatus: typeof nb = {
  expired: {
    title: 'The last day to book has passed',
    text: [
      'You can no longer book here. If you still need the appointment, ask for help, and we will see what we can do.',
    ],
  },
  recalled: {
    title: 'You do not need to book',
    text: [
      'The insurance company has withdrawn the case. If you had an appointment, it is cancelled.',
      'Does this surprise you? Contact the insurance company, or call us.',
    ],
  },
  archived: {
    title: 'The case is closed',
    text: ['There is nothing more for you to do here. If you have questions, you can call us.'],
  },
  transfer_refused: {
    title: 'The clinic could not register the appointment',
    text: [
      'Unfortunately the time you chose is not confirmed. It is not your fault, and we are settling it with the clinic.',
      'You will hear from us. Ask for help or call if it is urgent.',
    ],
  },
  error: {
    title: 'Something went wrong at our end',
    text: ['We are putting it right. You can’t book here now. Ask for help or call if it is urgent.'],
  },
  not_booked: {
    title: 'The appointment was not booked',
    text: [
      'We could not confirm the appointment in time, so it is not yours. The time may still be free. Try again, or choose another.',
    ],
  },
  not_changed: {
    title: 'The appointment was not changed',
    text: [
      'We could not get the new time confirmed. You still have the appointment you had. Try again, or choose another time.',
    ],
  },
  not_cancelled: {
    title: 'The appointment was not cancelled',
    text: [
      'We could not do it now, so you still have the appointment. Try again in a little while, or call us.',
    ],
  },
  provider_away: {
    title: 'The clinic does not answer just now',
    text: [
      'Nothing has changed, and the time is not taken from you. Try the same time again in a little while, or choose another.',
    ],
  },
  slot_unknown: {
    title: 'We do not recognise that time',
    text: ['The page may be old, or the link not whole. Choose one of the times that are available now.'],
  },
  started: {
    title: 'The appointment has begun',
    text: ['It can no longer be changed or cancelled here. Call the clinic or us if something is wrong.'],
  },
  not_allowed: {
    title: 'That is not possible now',
    text: ['The case has changed since you opened the page. Go to the start to see how it stands.'],
  },
  help_not_possible: {
    title: 'We can’t take messages here',
    text: ['Call us or send us an e-mail instead, and we will help you.'],
  },
  too_much_help: {
    title: 'We already have your messages',
    text: [
      'You have asked for help several times today, and we will contact you. If it is urgent, please call us.',
    ],
  },
  too_long: {
    title: 'The text is too long',
    text: ['We could not take that much text. Go back, write less and send it again.'],
  },
  stale_form: {
    title: 'The page was too old',
    text: ['Nothing has changed. Go to the start and try once more.'],
  },
  unknown_case: {
    title: 'We can’t find the page',
    text: [
      'The link may not be whole. Open it from the message you got, or copy all of the link into your browser.',
      'If that does not help, you can call us.',
    ],
  },
  unknown_page: {
    title: 'We can’t find this page',
    text: ['Go to the start to continue.'],
  },
  temporarily_unavailable: {
    title: 'That is not possible just now',
    text: ['Nothing has changed. Please try again in a moment.'],
  },
  unexpected: {
    title: 'Something went wrong at our end',
    text: ['We have been told. Try again in a little while. If that does not help, you can call us.'],
  },
  too_many: {
    title: 'Too many attempts',
    text: ['Wait a quarter of an hour, and try again. If it is urgent, you can call us.'],
  },
};
