import type { Strings } from '../nb.ts';

export const times: Strings['times'] = {
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
};
