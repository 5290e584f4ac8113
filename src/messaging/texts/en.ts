import type { Wording } from './wording.ts';

export const en: Wording = {
  email: {
    invitation: ({ partner, deadline, deadlineDay }) => ({
      subject: `${partner}: book your appointment by ${deadline}`,
      heading: 'Book your appointment',
      preview: 'You choose the time that suits you. It takes a few minutes.',
      paragraphs: [
        `${partner} has given you access to book an appointment online. You choose the time that suits you.`,
        'Follow the link, log in with BankID or another Norwegian eID, and choose a time. It takes a few minutes.',
        `The last day to book is ${deadlineDay}.`,
      ],
      link: 'Book an appointment',
    }),
    reminder: ({ partner, deadlineDay, daysLeft }) => ({
      subject: `${partner}: ${lastDay(daysLeft)} to book an appointment`,
      heading: 'Remember to book your appointment',
      preview: `The last day is ${deadlineDay}.`,
      paragraphs: [
        `You have not booked an appointment yet. The last day to book is ${deadlineDay}.`,
        'Follow the link, log in with BankID or another Norwegian eID, and choose a time. It takes a few minutes.',
        'Is it difficult, or does no time suit you? Tell us, and we will help you.',
      ],
      link: 'Book an appointment',
    }),
    receipt: ({ partner, period }) => ({
      subject: `${partner}: your appointment is booked`,
      heading: 'Your appointment is booked',
      preview: period ?? 'Log in to see the appointment.',
      when: period,
      paragraphs: [
        'Log in to see where to go. You can also change or cancel the appointment there.',
        ...(period === null ? [] : ['You can put it in your calendar: it is attached to this e-mail.']),
      ],
      link: 'See the appointment',
    }),
    changed: ({ partner, period }) => ({
      subject: `${partner}: a new time for your appointment`,
      heading: 'Your appointment has changed',
      preview: period === null ? 'Log in to see the appointment.' : `It is now ${period}.`,
      when: period,
      paragraphs: [
        period === null
          ? 'Log in to see when it is, and where to go.'
          : 'This is your new time. Log in to see where to go.',
        ...(period === null ? [] : ['The attachment corrects it in your calendar.']),
      ],
      link: 'See the appointment',
    }),
    cancelled: ({ partner, period, deadlineDay, daysLeft }) => ({
      subject: `${partner}: your appointment is cancelled`,
      heading: 'Your appointment is cancelled',
      preview:
        daysLeft < 0 ? 'Contact us if you need a new one.' : `You can book a new one until ${deadlineDay}.`,
      paragraphs: [
        period === null
          ? 'You no longer have an appointment.'
          : `You no longer have the appointment on ${period}.`,
        daysLeft < 0
          ? 'The last day to book has passed. If you need a new appointment, contact us.'
          : `If you want a new one, you can book it until the end of ${deadlineDay}.`,
      ],
      link: daysLeft < 0 ? 'Read more' : 'Book a new appointment',
    }),
    choose_again: ({ partner, period, deadline, deadlineDay }) => ({
      subject: `${partner}: please choose a new appointment`,
      heading: 'Please choose a new appointment',
      preview: `Your appointment can’t take place. Choose a new one by ${deadline}.`,
      paragraphs: [
        period === null
          ? 'We are sorry: your appointment can’t take place.'
          : `We are sorry: your appointment on ${period} can’t take place.`,
        `Please choose a new one by ${deadlineDay}. It takes a few minutes.`,
      ],
      link: 'Choose a new appointment',
    }),
    assistance_received: ({ partner }) => ({
      subject: `${partner}: we have received your message`,
      heading: 'We have received your message',
      preview: 'We will contact you, usually within one working day.',
      paragraphs: [
        'Thank you for telling us. We will contact you as soon as we can, usually within one working day.',
        'In the meantime the link works as before. If it is urgent, you can call us.',
      ],
      link: 'Open your page',
    }),
    recalled: ({ partner, period }) => ({
      subject: `${partner}: ${period === null ? 'you need not book' : 'your appointment is cancelled'}`,
      heading: period === null ? 'You need not book an appointment' : 'Your appointment is cancelled',
      preview: 'There is nothing you need to do.',
      paragraphs: [
        ...(period === null ? [] : [`You no longer have the appointment on ${period}.`]),
        `${partner} has withdrawn the access to book an appointment. There is nothing you need to do.`,
        `If you wonder why, you can ask ${partner}.`,
      ],
      link: 'Read more',
    }),
  },

  sms: {
    invitation: ({ shortDeadline }) => [
      `You can now book your appointment. The last day is ${shortDeadline}:`,
      `Book your appointment by ${shortDeadline}:`,
      `Book by ${shortDeadline}:`,
    ],
    reminder: ({ daysLeft, shortDeadline }) =>
      daysLeft > 1
        ? [`Remember to book. The last day is ${shortDeadline}:`, `Book by ${shortDeadline}:`]
        : [`Remember: ${lastDay(daysLeft)} to book, ${shortDeadline}:`, `Last day: ${shortDeadline}:`],
    receipt: ({ start, shortStart }) =>
      start === null
        ? ['Your appointment is booked:']
        : [
            `Your appointment is ${start}. See, change or cancel:`,
            `Your appointment is ${start}:`,
            `Appointment ${shortStart}:`,
          ],
    changed: ({ start, shortStart }) =>
      start === null
        ? ['Your appointment has changed:']
        : [`Your appointment is now ${start}:`, `New time: ${start}:`, `New time ${shortStart}:`],
    cancelled: ({ start, shortStart, daysLeft }) => {
      const again = daysLeft < 0 ? '' : ' Book again:';
      return start === null
        ? [`Your appointment is cancelled.${again}`]
        : [
            `Your appointment ${start} is cancelled.${again}`,
            `Appointment ${start} is cancelled:`,
            `Cancelled: ${shortStart}:`,
          ];
    },
    choose_again: ({ start, shortStart, shortDeadline }) =>
      start === null
        ? [
            `Your appointment is cancelled. Choose a new one by ${shortDeadline}:`,
            'Appointment cancelled. Choose again:',
          ]
        : [
            `Appointment ${start} is cancelled. Choose a new one by ${shortDeadline}:`,
            `Appointment ${start} is cancelled. Choose again:`,
            `Cancelled: ${shortStart}. Choose again:`,
            `Cancelled: ${shortStart}:`,
          ],
    assistance_received: () => [
      'We have your message, and will contact you as soon as we can:',
      'We have your message:',
    ],
    recalled: ({ start, shortStart }) =>
      start === null
        ? ['You need not book an appointment any more. Read more:', 'You need not book:']
        : [
            `Appointment ${start} is cancelled. There is nothing you need to do:`,
            `Appointment ${start} is cancelled:`,
            `Cancelled: ${shortStart}:`,
          ],
  },

  sentFor: (partner) =>
    `You get this message because ${partner} has asked us to contact you about an appointment.`,
  notForYou: 'Is this message not for you? Open the link and tell us there, and you will get no more.',
  neverAsked:
    'We never ask for your identity number, passwords, codes or payment by e-mail, SMS or telephone.',
  zone: 'Norwegian time',
  callUs: (phone, email) => `Need help? Call ${phone} or write to ${email}.`,
  smsHelp: 'Help:',
  calendar: {
    title: (partner) => `Appointment (${partner})`,
    cancelled: (partner) => `Cancelled: appointment (${partner})`,
    place: (url) => `Log in to see the place: ${url}`,
  },
};

function lastDay(daysLeft: number): string {
  if (daysLeft > 1) return `${daysLeft} days left`;
  return daysLeft === 1 ? 'tomorrow is the last day' : 'today is the last day';
}
