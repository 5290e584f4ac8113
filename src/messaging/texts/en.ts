import type { Wording } from './wording.ts';

export const en: Wording = {
  email: {
    invitation: ({ partner, deadline }) => ({
      subject: `${partner}: book your appointment by ${deadline}`,
      paragraphs: [
        `${partner} has asked us to let you book an appointment. You choose the time and the place.`,
        `The last day to book is ${deadline}. You log in with an electronic ID, for instance BankID.`,
      ],
      link: 'Book an appointment',
    }),
    receipt: ({ partner, period }) => ({
      subject: `${partner}: your appointment is booked`,
      paragraphs: [
        period === null ? 'Your appointment is booked.' : `Your appointment is booked: ${period}.`,
        'Log in to see where to go, or to change or cancel the appointment.',
      ],
      link: 'See the appointment',
    }),
    changed: ({ partner, period }) => ({
      subject: `${partner}: your appointment has changed`,
      paragraphs: [
        period === null
          ? 'Your appointment has changed.'
          : `Your appointment has changed. It is now ${period}.`,
        'The time you had before no longer applies. Log in to see where to go.',
      ],
      link: 'See the appointment',
    }),
    cancelled: ({ partner, period, deadline }) => ({
      subject: `${partner}: your appointment is cancelled`,
      paragraphs: [
        period === null ? 'Your appointment is cancelled.' : `Your appointment ${period} is cancelled.`,
        `The last day to book a new one is ${deadline}.`,
      ],
      link: 'Book a new appointment',
    }),
    choose_again: ({ partner, period, deadline }) => ({
      subject: `${partner}: please choose a new appointment`,
      paragraphs: [
        period === null
          ? 'Unfortunately the time you chose is no longer free.'
          : `Unfortunately your appointment ${period} will not take place.`,
        `We are sorry. Please choose a new one by ${deadline}.`,
      ],
      link: 'Choose a new appointment',
    }),
    assistance_received: ({ partner }) => ({
      subject: `${partner}: we have received your message`,
      paragraphs: [
        'We have received your message and will contact you.',
        'You can still book an appointment yourself until the last day to book.',
      ],
      link: 'Open the case',
    }),
    recalled: ({ partner, period }) => ({
      subject: `${partner}: you no longer need to book`,
      paragraphs: [
        `${partner} has withdrawn the booking. There is nothing you need to do.`,
        ...(period === null ? [] : [`Your appointment ${period} is cancelled.`]),
      ],
      link: 'Read more',
    }),
  },

  sms: {
    invitation: ({ shortDeadline }) => [
      `Book your appointment by ${shortDeadline}:`,
      `Book by ${shortDeadline}:`,
    ],
    receipt: ({ start }) =>
      start === null
        ? ['Your appointment is booked:']
        : [`Your appointment: ${start}. Change or cancel:`, `Appointment ${start}:`],
    changed: ({ start }) =>
      start === null
        ? ['Your appointment has changed:']
        : [`Your appointment is now ${start}:`, `New time ${start}:`],
    cancelled: ({ start }) =>
      start === null
        ? ['Your appointment is cancelled. Book again:']
        : [`Appointment ${start} is cancelled. Book again:`, `Appointment ${start} is cancelled:`],
    choose_again: ({ start, shortDeadline }) =>
      start === null
        ? [`Your time is no longer free. Choose again by ${shortDeadline}:`]
        : [
            `Appointment ${start} is off. Choose again by ${shortDeadline}:`,
            `Time ${start} is off. Choose again:`,
          ],
    assistance_received: () => ['We have your message and will contact you.', 'Message received.'],
    recalled: ({ start }) =>
      start === null
        ? ['You no longer need to book:']
        : [`Appointment ${start} is cancelled. No need to book again:`, `Appointment ${start} is cancelled:`],
  },

  greeting: 'Hello,',
  sentFor: (partner) => `You get this message because ${partner} has let you book an appointment.`,
  neverAsked:
    'We never ask for your identity number, passwords, codes or payment by e-mail, SMS or telephone.',
  zone: 'Times are in Norwegian time.',
  otherLanguage: null,
  callUs: (phone, email) => `Need help? Call ${phone} or write to ${email}.`,
  smsHelp: 'Help:',
  calendarEntry: (partner) => `Appointment (${partner})`,
};
