import type { caseStatus as nb } from '../nb/status.ts';

export const caseStatus: typeof nb = {
  expired: {
    title: 'The last day to book has passed',
    text: ['It is no longer possible to book here. Ask for help, and we will see what we can do.'],
  },
  recalled: {
    title: 'You need not book an appointment',
    text: ['The insurance company has withdrawn the case. If you had an appointment, it is cancelled.'],
  },
  archived: { title: 'The case is closed', text: ['There is nothing more to do here.'] },
  error: {
    title: 'We have to help you on',
    text: [
      'Something went wrong with us, and we are looking into it. You can’t book here now. Please contact us.',
    ],
  },
  stale_form: {
    title: 'The page was too old',
    text: ['Nothing has changed. Go to the start and try once more.'],
  },
  not_allowed: {
    title: 'That is not possible now',
    text: ['The case has changed since you opened the page. Go to the start to see how it stands.'],
  },
  started: { title: 'The appointment has begun', text: ['It can no longer be changed or cancelled here.'] },
  slot_unknown: { title: 'We don’t know that time', text: ['Please choose one of the free times.'] },
  unknown_case: {
    title: 'We can’t find the page',
    text: ['The link may not be whole. Open it from the message you got, or copy all of it.'],
  },
  temporarily_unavailable: {
    title: 'That is not possible just now',
    text: ['Nothing has changed. Please try again in a moment.'],
  },
  unexpected: {
    title: 'Something went wrong with us',
    text: ['We have been told. Try again in a little while, or contact us.'],
  },
  too_many: { title: 'Too many attempts', text: ['Wait a little, and try again.'] },
  too_much_help: {
    title: 'We already have your message',
    text: ['You have asked for help several times today. We will contact you. If it is urgent, please call.'],
  },
};
