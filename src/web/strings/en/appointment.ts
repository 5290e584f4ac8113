import type * as nb from '../nb/appointment.ts';

export const facts: typeof nb.facts = {
  when: 'When',
  zone: 'Norwegian time',
  with: 'Clinic',
  practitioner: 'Practitioner',
  where: 'Place',
  how: 'Type of appointment',
  mode: { in_person: 'In person', video: 'Video' },
};

export const confirm: typeof nb.confirm = {
  title: 'Is this right?',
  after: 'Once you confirm, the appointment is yours. You can change or cancel it until it begins.',
  replaces: 'The appointment you have now is cancelled once the new one is confirmed:',
  have: 'You already have an appointment. Do you want to change it to this one?',
  confirm: 'Confirm the appointment',
  change: 'Change to this time',
  other: 'Choose another time',
};

export const taken: typeof nb.taken = {
  title: 'The time was just taken',
  lead: 'Somebody else was a moment quicker. Nothing else you have chosen is lost. These are the nearest times that are free now:',
  none: 'Somebody else was a moment quicker, and there are no other times free near it.',
  all: 'See all available times',
};

export const pending: typeof nb.pending = {
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
};

export const receipt: typeof nb.receipt = {
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
};

export const cancel: typeof nb.cancel = {
  title: 'Do you want to cancel the appointment?',
  warning: 'The time becomes free for others. If you only want another time, you can change it instead.',
  cancel: 'Yes, cancel it',
  change: 'Change it instead',
  keep: 'No, keep it',
};
