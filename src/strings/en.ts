import type { Translation } from './catalogue.ts';

export const en: Translation = {
  skip: 'Skip to main content',
  service: 'Appointment booking',
  onBehalfOf: 'for {partner}',
  languageName: 'English',
  languages: 'Language',
  logout: 'Log out',
  back: 'Back',
  login: 'Log in',
  loginAgain: 'Log in again',
  startAgain: 'Go to the start',
  getHelp: 'Ask for help',
  seeTimes: 'See available times',
  norwegianTime: 'All times are Norwegian time.',
  fault: 'Error: {title}',
  offline: 'You are offline right now. Nothing was sent. This page stays until you are back online.',
  callUs: 'Call us on {phone}',

  support: {
    title: 'Need help?',
    call: 'Call us on',
    write: 'or write to',
    reference: 'Please quote the reference {reference}.',
  },

  session: {
    who: 'You are logged in as {name}.',
    until: 'We log you out at {time} Norwegian time, unless you do something before that.',
    last: 'You will be logged out at {time} Norwegian time. You can log in again after that.',
    more: 'Give me more time',
    warning: 'You will soon be logged out',
    why: 'We do this so that nobody else gets to see your appointment.',
    stay: 'Stay logged in',
    close: 'Close',
  },

  welcome: {
    title: 'Book your appointment',
    from: '{partner} has given you access to book an appointment. You choose the time and the place.',
    deadline: 'Book by {day}. The appointment itself can be later.',
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
    ended: 'You have been logged out because too much time went by. Log in again to continue.',
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
  },

  where: {
    title: 'Where do you want your appointment?',
    elsewhere: 'In person, everywhere',
    video: 'By video',
    anywhere: 'Everywhere, and by video',
    times: { one: '1 available, {day}', other: '{count} available, first {day}' },
    hint: 'These places have times in the next {days} days.',
    change: 'Change place',
  },

  times: {
    title: 'Choose a time',
    titleChange: 'Choose a new time',
    keepsOld: 'You keep the appointment you have, {when} at {clinic}, until the new one is confirmed.',
    keep: 'Keep the appointment I have',
    deadline: 'Book by {day}. The appointment itself can be later.',

    filter: 'Filter the times',
    filtersOn: { one: '1 filter is on', other: '{count} filters are on' },
    provider: 'Clinic',
    practitioner: 'Practitioner',
    all: 'All',
    mode: 'In person or by video',
    bothModes: 'Either',
    filterShow: 'Show times',
    filterClear: 'Clear your choices',
    filterShowCount: { '=0': 'None available', one: 'Show 1 time', other: 'Show {count} times' },
    partOfDay: 'Time of day',
    anyPartOfDay: 'All day',
    partsOfDay: { morning: 'Before 12:00', afternoon: '12:00–17:00', evening: 'After 17:00' },
    speaks: 'Language the practitioner speaks',
    gender: 'Gender of the practitioner',
    genders: { female: 'Woman', male: 'Man' },
    profession: 'Profession of the practitioner',

    week: 'Week {number}: {days}',
    found: {
      '=0': 'No times available',
      one: 'One time available',
      other: '{count} times available, earliest first',
    },
    first: 'The first available time is on {day}.',
    allOfDay: 'Show all {count} times on {day}',
    wholeWeek: 'Show the whole week',
    moreOfDay: 'Show more times',
    fewerOfDay: 'Show the previous times',
    range: 'Times {from}–{to} of {count}',
    days: 'Days with available times',
    onDay: { one: '1 available', other: '{count} available' },
    noneOnDays: '{days}: no times available',
    through: '{from} to {to}',
    emptyDays: 'There are no times available on these days.',
    emptyFiltered: 'No times available on these days fit your choices.',
    emptyAll:
      'We find no available times in the next {days} days. Ask for help, and we will find a way together with you.',
    emptyAllFiltered: 'No available times in the next {days} days fit your choices.',
    goToFirst: 'Go to the first available time',
    goToNext: 'Go to {day}, the next day with times',
    unavailable: 'We cannot reach {names} right now, so their times are missing from the list.',
    awaited: 'We are waiting for an answer from {names}.',
    showAwaited: 'Show their times too',
    allUnavailable: 'We cannot reach any of the clinics right now. Please try again in a few minutes.',
    tryAgain: 'Try again',
    paging: 'Other days',
    laterWeek: 'Next week',
    earlierWeek: 'Previous week',
    laterDay: 'Next day',
    earlierDay: 'Previous day',

    cancelled: {
      title: 'Your appointment is cancelled',
      text: 'You can still book another one through {partner}, by {day}.',
    },
    chooseAgain: {
      title: 'The clinic has cancelled your appointment',
      text: 'We are sorry. You can choose another time through {partner} here, by {day}.',
    },
    helpIsComing: 'We have received your message and will contact you. You can also book here yourself.',
  },

  facts: {
    when: 'When',
    zone: 'Norwegian time',
    with: 'Clinic',
    practitioner: 'Practitioner',
    what: 'Treatment',
    where: 'Place',
    map: 'See on a map',
    know: 'Good to know',
    phone: 'Telephone',
    speaks: 'Speaks {languages}',
    payment: 'Payment',
    paidBy: '{partner} pays. Ask them if you wonder whether you pay a share.',
    mode: { in_person: 'In person', video: 'Video' },
  },

  confirm: {
    title: 'Is this right?',
    titleChange: 'Change to this time?',
    after: 'Once you confirm, the appointment is yours. You can change or cancel it until it begins.',
    replaces: 'The appointment you have now, {when} at {clinic}, is cancelled once the new one is confirmed.',
    have: 'You already have an appointment. Do you want to change it to this one?',
    confirm: 'Confirm the appointment',
    change: 'Change to this time',
    another: 'Choose another time',
  },

  taken: {
    title: 'The time was just taken',
    lead: 'Somebody else was a moment quicker. Nothing else you have chosen is lost. These are the nearest times that are free now:',
    none: 'Somebody else was a moment quicker, and there are no other times free near it.',
    all: 'See all available times',
  },

  pending: {
    confirm: {
      title: 'We are confirming your appointment',
      lead: 'It takes a little longer than usual. There is nothing you need to do. This page updates itself.',
      message: 'We will send you a message when the appointment is confirmed.',
    },
    cancel: {
      title: 'We are cancelling your appointment',
      lead: 'It takes a little longer than usual. There is nothing you need to do. This page updates itself.',
      message: 'We will send you a message when the appointment is cancelled.',
    },
    leave: 'You may also close the page, and open the link again later.',
    refresh: 'Update now',
  },

  receipt: {
    title: 'Your appointment is booked',
    titleStarted: 'Your appointment',
    confirmed: 'You will get a confirmation by e-mail or SMS.',
    transferred: 'The clinic has your appointment in its calendar.',
    beingTransferred: 'The appointment is yours. We are entering it in the clinic’s calendar now.',
    calendar: 'Add it to your calendar',
    change: 'Change the appointment',
    cancel: 'Cancel the appointment',
    until: 'You can change or cancel the appointment until it begins.',
    started: 'The appointment has begun, so it can’t be changed or cancelled here.',
    silent:
      'We send no messages about the appointment, since somebody told us that the messages were not for them. Note down the time, and ask for help if you want messages.',
    earlier: {
      title: 'Would you like an earlier time?',
      text: 'We can tell you when a time at least a week before yours comes free, in the same town or by video as now. Whoever confirms first has it. You keep your appointment until you change it.',
      ask: 'Tell me about earlier times',
      on: 'We tell you when a time at least a week before yours comes free. You get at most one such message a day, and none at night.',
      stop: 'Stop telling me',
    },
  },

  cancel: {
    title: 'Do you want to cancel the appointment?',
    warning: 'The time becomes free for others. If you only want another time, you can change it instead.',
    cancel: 'Yes, cancel it',
    change: 'Change it instead',
    keep: 'No, keep it',
  },

  help: {
    title: 'Ask for help',
    lead: 'Tell us what you need help with, and we will contact you.',
    noLogin: 'You do not have to log in.',
    who: 'Your message is read by us who run the booking service. {partner} does not get to see it.',
    message: 'What do you need help with? (optional)',
    hint: 'Do not write about your health, and do not write your national identity number. You can write up to {letters} characters.',
    contact: 'How would you like us to contact you? (optional)',
    phone: 'Call me',
    email: 'Send me an e-mail',
    either: 'Either is fine',
    number: 'Telephone number (if we are to call)',
    numberHint: 'Leave it empty if we can use the number you got the message on.',
    bestTime: 'When is the best time to call you?',
    anyTime: 'Any time',
    morning: 'Before 12:00',
    afternoon: 'After 12:00',
    interpreter: 'Do you need an interpreter? (optional)',
    interpreterHint: 'Write which language.',
    send: 'Send',
    problem: 'Something must be corrected before we can take the message',
    faults: {
      message_too_long:
        'The message is {over} characters too long. Shorten it to {letters} characters or fewer.',
      contact_unknown: 'Choose how we should contact you.',
      phone_missing: 'Write the telephone number we should call.',
      phone_wrong:
        'The telephone number does not look right. Write eight digits, or a number with its country code.',
      interpreter_wrong: 'Write only the language you need an interpreter for.',
      name_wrong: 'Write your name.',
      relation_missing: 'Choose who you are to the person the appointment is for.',
    },
    another: {
      title: 'Are you booking for somebody else?',
      link: 'Book for a child or for somebody you help',
      text: [
        'The appointment can only be booked with the eID of the person it is for. Do not log in with your own: it will not work.',
        'Are you a parent or guardian, or do you help somebody who cannot log in? Write to us here. We will call you, ask who you are, and book the appointment together with you.',
      ],
      name: 'Your name',
      relation: 'Who are you to the person the appointment is for?',
      relations: { parent: 'Parent', guardian: 'Guardian', helper: 'I help the person' },
      phone: 'Your telephone number',
    },
  },

  helpReceived: {
    title: 'We have received your message',
    next: 'What happens next',
    lead: 'We read your message and contact you, usually within one working day.',
    receipt: 'We send a confirmation the same way as our other messages about the appointment.',
    canBook: 'You can still book an appointment yourself while you wait.',
    book: 'Book an appointment',
  },

  notYours: {
    title: 'Was the message not for you?',
    lead: 'Then {partner} probably has a wrong e-mail address or telephone number. Tell us, and we will stop sending messages there about this appointment.',
    tells: 'We tell {partner} that the address is wrong. We do not ask who you are.',
    button: 'The message was not for me',
    mine: 'The message is for me',
    doneTitle: 'Thank you for telling us',
    done: 'We now stop sending messages about this, unless the person it is meant for has logged in already. You can delete the one you got.',
    later:
      'The link still works for the person it is meant for, but no messages are sent, not even if somebody books an appointment with it later.',
    mistake: 'Did you press by mistake, or do you still get more? Ask for help, and we will put it right.',
  },

  home: {
    title: 'Did you get a message about booking an appointment?',
    lead: 'We send e-mails and text messages for insurance companies to people who can book an appointment online.',
    genuine: 'How to recognise a genuine message',
    signs: [
      'The link begins with {url}',
      'The message names the insurance company it is about.',
      'The telephone number in the message is {phone}.',
      'We never ask for your identity number, passwords, codes or payment by e-mail, text message or telephone.',
    ],
    unsure:
      'Are you in doubt? Do not open the link. Call us, or call your insurance company on the number on its website.',
    booking: 'Do you want to book, change or cancel?',
    open: 'Open the link in the message you got. If you cannot find it, you can call us.',
  },

  access: {
    title: 'Who has seen your case',
    lead: 'This page says who has seen your case with us, and when they last did.',
    nobody: 'Nobody but you has opened the case yet.',
    kinds: {
      partner_opened: {
        one: '{partner} looked at your case once, on {day}.',
        other: '{partner} looked at your case {count} times, last on {day}.',
      },
      partner_listed: {
        one: '{partner} fetched a list with your case in it, on {day}.',
        other: '{partner} fetched lists with your case in them {count} times, last on {day}.',
      },
      operator_revealed: {
        one: 'One of us saw your name and what else the case says, on {day}.',
        other: 'We saw your name and what else the case says {count} times, last on {day}.',
      },
      operator_worked: {
        one: 'One of us saw how your case is going, but not your name, on {day}.',
        other: 'We saw how your case is going, but not your name, {count} times, last on {day}.',
      },
      messages: {
        one: 'We sent you 1 message, on {day}.',
        other: 'We sent you {count} messages, the last on {day}.',
      },
      clinic: {
        one: 'The clinic was given what it needs for your appointment, on {day}.',
        other: 'Clinics were given what they need for your appointments {count} times, last on {day}.',
      },
      turned_away: {
        one: 'Somebody else logged in with your link, on {day}. They were shown nothing.',
        other:
          'Somebody else logged in with your link {count} times, last on {day}. They were shown nothing.',
      },
      link_opened: {
        one: 'Your link was opened without a login, on {day}. Nothing about you is shown then.',
        other:
          'Your link was opened without a login {count} times, last on {day}. Nothing about you is shown then.',
      },
      yours: {
        one: 'You looked at the pages yourself, on {day}.',
        other: 'You looked at the pages yourself {count} times, last on {day}.',
      },
    },
    clinic: 'When you book a time, the clinic is given what it needs for it.',
    wrong: 'Is there something here that you do not recognise? Please contact us.',
    back: 'To your case',
  },

  about: {
    title: 'About this service',
    runBy: 'This booking service is run by {name}.',
    insurers:
      'Your insurance company has given you access to book an appointment online. We show you the available times, and see to it that the one you choose reaches the clinic. You log in with BankID or another eID, so that nobody else books for you.',
    responsible: 'Who we are',
    name: 'Name',
    organisationNumber: 'Organisation number',
    address: 'Address',
  },

  privacy: {
    title: 'Privacy',
    lead: 'Here you can read what {name} knows about you when you book, who gets to see it, and what you can ask us for.',
    kept: 'What we know',
    keptList: [
      'What the insurance company has given us: your name, e-mail address and telephone number, what the appointment is for, when the injury happened, and what they have written about it.',
      'What the eID says when you log in: your name, and your date of birth if the eID gives it. We do not keep your national identity number.',
      'The appointments you book, change and cancel, and the messages we have sent you.',
      'What you write to us when you ask for help.',
    ],
    seen: 'Who gets to see it',
    seenList: [
      'The clinic you book with gets what it needs for the appointment: your name and date of birth, how to reach you, what the injury is, and which insurance company it is about.',
      'The insurance company sees whether you have booked, with whom, where and when. It does not see what you write to us.',
      'Our own staff see your details when they have to, to help you. Each time is written down.',
      'Those who send e-mails and text messages for us get your address or number and what the message says.',
    ],
    seenBy: 'When you have logged in, you can see for yourself who has seen your case, and when.',
    cookies: 'Cookies',
    cookieList: [
      'We only use those that the pages need to work: that you are logged in, which language you read, where you want the appointment, and that a form came from your browser.',
      'None of them follows you to other websites.',
    ],
    long: 'How long the case is open',
    longText: {
      one: 'We close the case the day after the appointment, or after the deadline for booking has passed. You can ask us to erase your data at any time.',
      other:
        'We close the case {count} days after the appointment, or after the deadline for booking has passed. You can ask us to erase your data at any time.',
    },
    erased: {
      one: 'One month after the case is closed, we erase what we know about you, unless the company and we have agreed on another time.',
      other:
        '{count} months after the case is closed, we erase what we know about you, unless the company and we have agreed on another time.',
    },
    rights: 'See, correct or erase',
    rightsText: 'You can ask to see what we know about you, and to have it corrected or erased. Write to',
    complain:
      'If you are not satisfied with the answer, you can complain to the Norwegian Data Protection Authority (Datatilsynet).',
  },

  status: {
    expired: {
      title: 'The last day to book has passed',
      text: [
        'You can no longer book here. If you still need the appointment, ask for help, and we will see what we can do.',
      ],
    },
    recalled: {
      title: '{partner} has withdrawn the case',
      text: [
        'You need not book an appointment. If you had one, it is cancelled.',
        'Is this a surprise? Contact {partner}, or call us.',
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
      text: [
        'The page may be old, or part of the link may be missing. Choose one of the times that are available now.',
      ],
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
      title: 'The page has been open for too long',
      text: ['Nothing has changed. Go to the start and try once more.'],
    },
    unknown_case: {
      title: 'We can’t find the page',
      text: [
        'Part of the link may be missing. Open it from the message you got, or copy the whole link into your browser.',
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
      text: [
        'Wait a few minutes, and try again. After several logins it may take a quarter of an hour. If it is urgent, you can call us.',
      ],
    },

    mismatch: {
      title: 'Your name does not match this link',
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
  },

  messages: {
    email: {
      invitation: {
        subject: '{partner}: book your appointment by {deadline}',
        heading: 'Book your appointment',
        preview: 'You choose the time that suits you. It takes a few minutes.',
        paragraphs: [
          '{partner} has given you access to book an appointment online. You choose the time that suits you.',
          'Follow the link, log in with BankID or another Norwegian eID, and choose a time. It takes a few minutes.',
          'The last day to book is {deadlineDay}.',
        ],
        link: 'Book an appointment',
      },
      reminder: {
        subject: {
          '=0': '{partner}: today is the last day to book an appointment',
          '=1': '{partner}: tomorrow is the last day to book an appointment',
          other: '{partner}: {count} days left to book an appointment',
        },
        heading: 'Remember to book your appointment',
        preview: 'The last day is {deadlineDay}.',
        paragraphs: [
          'You have not booked an appointment yet. The last day to book is {deadlineDay}.',
          'Follow the link, log in with BankID or another Norwegian eID, and choose a time. It takes a few minutes.',
          'Is it difficult, or does no time suit you? Tell us, and we will help you.',
        ],
        link: 'Book an appointment',
      },
      receipt: {
        subject: '{partner}: your appointment is booked',
        heading: 'Your appointment is booked',
        preview: '{period}',
        paragraphs: [
          'Log in to see where to go. You can also change or cancel the appointment there.',
          'You can put it in your calendar: it is attached to this e-mail.',
        ],
        link: 'See the appointment',
      },
      changed: {
        subject: '{partner}: a new time for your appointment',
        heading: 'Your appointment has changed',
        preview: 'It is now {period}.',
        paragraphs: [
          'This is your new time. Log in to see where to go.',
          'The attachment corrects it in your calendar.',
        ],
        link: 'See the appointment',
      },
      appointment_reminder: {
        subject: '{partner}: you have an appointment tomorrow',
        heading: 'You have an appointment tomorrow',
        preview: '{period}',
        paragraphs: [
          'Log in to see where to go.',
          'Can’t make it? Please change or cancel as soon as you can, so that somebody else can have the time.',
        ],
        link: 'See the appointment',
      },
      earlier_time: {
        subject: '{partner}: an earlier time is free',
        heading: 'An earlier time is free',
        preview: 'It is at least a week before yours.',
        paragraphs: [
          'You asked us to tell you: a time at least a week before yours has come free.',
          'Log in and choose “Change the appointment” if you want it. Whoever confirms first has it. If you do nothing, you keep your appointment {period}.',
          'You get at most one such message a day. You can turn them off on your page.',
        ],
        link: 'See free times',
      },
      cancelled: {
        subject: '{partner}: your appointment is cancelled',
        heading: 'Your appointment is cancelled',
        preview: 'You can book a new one until the end of {deadlineDay}.',
        paragraphs: [
          'You no longer have the appointment on {period}.',
          'If you want a new one, you can book it until the end of {deadlineDay}.',
        ],
        link: 'Book a new appointment',
      },
      cancelled_late: {
        subject: '{partner}: your appointment is cancelled',
        heading: 'Your appointment is cancelled',
        preview: 'Contact us if you need a new one.',
        paragraphs: [
          'You no longer have the appointment on {period}.',
          'The last day to book has passed. If you need a new appointment, contact us.',
        ],
        link: 'Read more',
      },
      choose_again: {
        subject: '{partner}: please choose a new appointment',
        heading: 'Please choose a new appointment',
        preview: 'Your appointment has been cancelled. Choose a new one by {deadline}.',
        paragraphs: [
          'We are sorry: your appointment on {period} has been cancelled.',
          'Please choose a new one by {deadlineDay}. It takes a few minutes.',
        ],
        link: 'Choose a new appointment',
      },
      choose_again_untimed: {
        subject: '{partner}: please choose a new appointment',
        heading: 'Please choose a new appointment',
        preview: 'Your appointment has been cancelled. Choose a new one by {deadline}.',
        paragraphs: [
          'We are sorry: your appointment has been cancelled.',
          'Please choose a new one by {deadlineDay}. It takes a few minutes.',
        ],
        link: 'Choose a new appointment',
      },
      assistance_received: {
        subject: '{partner}: we have received your message',
        heading: 'We have received your message',
        preview: 'We will contact you, usually within one working day.',
        paragraphs: [
          'Thank you for telling us. We will contact you as soon as we can, usually within one working day.',
          'In the meantime the link works as before. If it is urgent, you can call us.',
        ],
        link: 'Open your page',
      },
      recalled: {
        subject: '{partner}: your appointment is cancelled',
        heading: 'Your appointment is cancelled',
        preview: 'There is nothing you need to do.',
        paragraphs: [
          'You no longer have the appointment on {period}.',
          '{partner} has withdrawn the access to book an appointment. There is nothing you need to do.',
          'If you wonder why, you can ask {partner}.',
        ],
        link: 'Read more',
      },
      recalled_unbooked: {
        subject: '{partner}: you do not need to book',
        heading: 'You do not need to book an appointment',
        preview: 'There is nothing you need to do.',
        paragraphs: [
          '{partner} has withdrawn the access to book an appointment. There is nothing you need to do.',
          'If you wonder why, you can ask {partner}.',
        ],
        link: 'Read more',
      },
    },

    sms: {
      invitation: [
        'You can now book your appointment. The last day is {shortDeadline}:',
        'Book your appointment by {shortDeadline}:',
        'Book by {shortDeadline}:',
      ],
      reminder: [
        {
          '=0': 'Remember: today is the last day to book, {shortDeadline}:',
          '=1': 'Remember: tomorrow is the last day to book, {shortDeadline}:',
          other: 'Remember to book. The last day is {shortDeadline}:',
        },
        {
          '=0': 'Last day: {shortDeadline}:',
          '=1': 'Last day: {shortDeadline}:',
          other: 'Book by {shortDeadline}:',
        },
      ],
      receipt: [
        'Your appointment is {start}. See, change or cancel:',
        'Your appointment is {start}:',
        'Appointment {shortStart}:',
      ],
      changed: ['Your appointment is now {start}:', 'New time: {start}:', 'New time {shortStart}:'],
      appointment_reminder: [
        'Remember your appointment tomorrow, {start}. See, change or cancel:',
        'Remember your appointment tomorrow, {start}:',
        'Remember: appointment {start}:',
        'Remember: {shortStart}:',
      ],
      earlier_time: [
        'An earlier time is free. Would you like to change? First come, first served:',
        'An earlier time is free. Would you like to change?',
        'An earlier time is free:',
      ],
      cancelled: [
        'Your appointment {start} is cancelled. Book again:',
        'Appointment {start} is cancelled:',
        'Cancelled: {shortStart}:',
      ],
      cancelled_late: [
        'Your appointment {start} is cancelled.',
        'Appointment {start} is cancelled:',
        'Cancelled: {shortStart}:',
      ],
      choose_again: [
        'Appointment {start} is cancelled. Choose a new one by {shortDeadline}:',
        'Appointment {start} is cancelled. Choose again:',
        'Cancelled: {shortStart}. Choose again:',
        'Cancelled: {shortStart}:',
      ],
      choose_again_untimed: [
        'Your appointment is cancelled. Choose a new one by {shortDeadline}:',
        'Appointment cancelled. Choose again:',
      ],
      assistance_received: [
        'We have your message, and will contact you as soon as we can:',
        'We have your message:',
      ],
      recalled: [
        'Appointment {start} is cancelled. There is nothing you need to do:',
        'Appointment {start} is cancelled:',
        'Cancelled: {shortStart}:',
      ],
      recalled_unbooked: ['You do not need to book any more. Read more:', 'You do not need to book:'],
    },
    smsHelp: 'Help:',

    sentFor: 'You get this message because {partner} has asked us to contact you about an appointment.',
    notForYou: 'Is this message not for you? Open the link and tell us there, and you will get no more.',
    neverAsked:
      'We never ask for your identity number, passwords, codes or payment by e-mail, SMS or telephone.',
    zone: 'Norwegian time',
    callUs: 'Need help? Call {phone} or write to {email}.',
    alsoBelow: 'English below',
    calendar: {
      title: 'Appointment ({partner})',
      cancelled: 'Cancelled: appointment ({partner})',
      place: 'Log in to see the place: {url}',
    },
  },
};
