import type { Strings } from './nb.ts';

export const en: Strings = {
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

  welcome: {
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
  },

  times: {
    title: 'Choose a time',
    titleChange: 'Choose a new time',
    keepsOld: 'You keep the appointment you have until the new one is confirmed:',
    keep: 'Keep the appointment I have',
    deadline: (day) => `The last day to book is ${day}.`,
    range: (from, to) => `Free times from ${from} to ${to}`,
    filter: 'Provider',
    filterAll: 'All',
    filterShow: 'Show',
    noneOnDays: (days) => `${days}: no free times`,
    through: (from, to) => `${from} to ${to}`,
    empty: 'There are no free times on these days. Try later days, or ask for help.',
    unavailable: (names) =>
      `${names} does not answer just now. The other times are shown here. Please try again in a little while.`,
    allUnavailable: 'None of the providers answers just now. Please try again in a few minutes.',
    tryAgain: 'Try again',
    later: 'Later days',
    earlier: 'Earlier days',
    cancelled: 'The appointment is cancelled. You can choose a new one here.',
    chooseAgain:
      'Unfortunately the appointment you had will not take place. We are sorry. Please choose a new one.',
  },

  facts: {
    when: 'When',
    with: 'With',
    practitioner: 'Practitioner',
    where: 'Place',
    mode: { in_person: 'In person', video: 'Video' },
    reference: 'Reference',
  },

  confirm: {
    title: 'Confirm the appointment',
    lead: 'Is this right?',
    replaces: 'The appointment you have now is cancelled when the new one is confirmed:',
    confirm: 'Confirm the appointment',
    other: 'Choose another time',
  },

  taken: {
    title: 'The time was just taken',
    lead: 'Somebody else was quicker. You have lost nothing. These are the nearest free times:',
    none: 'We found no other free times near it.',
    all: 'See all free times',
  },

  receipt: {
    title: 'Your appointment',
    confirmed: 'The appointment is booked.',
    transferred: 'It is in the calendar of the place you are going to.',
    beingTransferred: 'The time is yours. We are entering it in the calendar of the place you are going to.',
    calendar: 'Add to your calendar (.ics)',
    change: 'Change the appointment',
    cancel: 'Cancel the appointment',
    sent: 'We send you a confirmation.',
  },

  cancel: {
    title: 'Cancel the appointment?',
    lead: 'This is the appointment you cancel:',
    warning: 'The time becomes free for others. If you only want another time, change it instead.',
    cancel: 'Yes, cancel it',
    keep: 'No, keep it',
  },

  help: {
    title: 'Ask for help',
    lead: 'Tell us what you need help with, and we will contact you. You need not log in.',
    private: (partner) => `${partner} does not see what you write.`,
    message: 'What do you need help with? (optional)',
    hint: (letters) =>
      `Do not write about your health or your identity number. At most ${letters} characters.`,
    contact: 'How shall we contact you? (optional)',
    phone: 'Telephone',
    email: 'E-mail',
    send: 'Send',
    problem: 'Something has to be corrected',
    faults: {
      message_too_long: (letters) => `The text is too long. Write at most ${letters} characters.`,
      contact_unknown: () => 'Choose telephone or e-mail.',
    },
  },

  helpReceived: {
    title: 'We have received your message',
    lead: 'We will contact you as soon as we can, usually within one working day.',
    canBook: 'You can still book an appointment yourself.',
  },

  confirming: {
    title: 'We are confirming your appointment',
    lead: 'It takes a little longer than usual. There is nothing you need to do: the page updates itself.',
    leave: 'You may also close the page. We send you a message when the appointment is confirmed.',
    refresh: 'Update now',
  },

  status: {
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
      text: [
        'You have asked for help several times today. We will contact you. If it is urgent, please call.',
      ],
    },
  },
};
