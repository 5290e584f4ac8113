import type { times as nb } from '../nb/times.ts';

export const times: typeof nb = {
  title: 'Choose a time',
  titleChange: 'Choose a new time',
  keepsOld: 'You keep the appointment you have until the new one is confirmed:',
  keep: 'Keep the appointment I have',
  deadline: (day) => `Book no later than ${day}.`,

  filter: 'Filter the times',
  filtersOn: (count) => (count === 1 ? '1 filter is on' : `${count} filters are on`),
  provider: 'Clinic',
  practitioner: 'Practitioner',
  place: 'Place',
  all: 'All',
  mode: 'In person or by video',
  bothModes: 'Either',
  filterShow: 'Show times',
  filterClear: 'Remove the filters',

  week: (number, days) => `Week ${number}: ${days}`,
  found: (count) =>
    count === 0
      ? 'No times available'
      : count === 1
        ? 'One time available'
        : `${count} times available, earliest first`,
  first: (day) => `The first available time is on ${day}.`,
  allOfDay: (count, day) => `Show all ${count} times on ${day}`,
  wholeWeek: 'Show the whole week',
  moreOfDay: 'Show more times',
  days: 'Days with available times',
  onDay: (count) => (count === 1 ? '1 time' : `${count} times`),
  noneOnDays: (days) => `${days}: no times available`,
  through: (from, to) => `${from} to ${to}`,
  emptyDays: 'There are no times available on these days.',
  emptyFiltered: 'No times available on these days fit the filters.',
  emptyAll: (days) =>
    `We find no available times in the next ${days} days. Ask for help, and we will find a way together with you.`,
  emptyAllFiltered: (days) => `No available times in the next ${days} days fit the filters.`,
  goToFirst: 'Go to the first available time',
  unavailable: (names) =>
    `We get no answer from ${names} just now, so their times are missing from the list.`,
  allUnavailable: 'We get no answer from any of the clinics just now. Please try again in a few minutes.',
  tryAgain: 'Try again',
  paging: 'Other days',
  laterWeek: 'Next week',
  earlierWeek: 'Previous week',
  laterDay: 'Next day',
  earlierDay: 'Previous day',

  cancelled: 'The appointment is cancelled. You can choose a new one here.',
  chooseAgain:
    'Unfortunately the appointment you had will not take place. We are sorry. Please choose a new one here.',
  helpIsComing: 'We have received your message and will contact you. You can also book here yourself.',
};
