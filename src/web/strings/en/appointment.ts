import type { Strings } from '../nb.ts';

export const facts: Strings['facts'] = {
  when: 'When',
  with: 'With',
  practitioner: 'Practitioner',
  where: 'Place',
  mode: { in_person: 'In person', video: 'Video' },
  reference: 'Reference',
};

export const confirm: Strings['confirm'] = {
  title: 'Confirm the appointment',
  lead: 'Is this right?',
  replaces: 'The appointment you have now is cancelled when the new one is confirmed:',
  confirm: 'Confirm the appointment',
  other: 'Choose another time',
};

export const taken: Strings['taken'] = {
  title: 'The time was just taken',
  lead: 'Somebody else was quicker. You have lost nothing. These are the nearest free times:',
  none: 'We found no other free times near it.',
  all: 'See all free times',
};

export const confirming: Strings['confirming'] = {
  title: 'We are confirming your appointment',
  lead: 'It takes a little longer than usual. There is nothing you need to do: the page updates itself.',
  leave: 'You may also close the page. We send you a message when the appointment is confirmed.',
  refresh: 'Update now',
};

export const receipt: Strings['receipt'] = {
  title: 'Your appointment',
  confirmed: 'The appointment is booked.',
  transferred: 'It is in the calendar of the place you are going to.',
  beingTransferred: 'The time is yours. We are entering it in the calendar of the place you are going to.',
  calendar: 'Add to your calendar (.ics)',
  change: 'Change the appointment',
  cancel: 'Cancel the appointment',
  sent: 'We send you a confirmation.',
};

export const cancel: Strings['cancel'] = {
  title: 'Cancel the appointment?',
  lead: 'This is the appointment you cancel:',
  warning: 'The time becomes free for others. If you only want another time, change it instead.',
  cancel: 'Yes, cancel it',
  keep: 'No, keep it',
};
