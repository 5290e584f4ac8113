export const times = {
  title: 'Velg time',
  titleChange: 'Velg ny time',
  keepsOld: 'Du beholder timen du har, helt til den nye er bekreftet:',
  keep: 'Behold timen jeg har',
  deadline: (day: string) => `Bestill senest ${day}.`,

  filter: 'Filtrer timene',
  filtersOn: (count: number) => (count === 1 ? '1 filter er på' : `${count} filtre er på`),
  provider: 'Klinikk',
  practitioner: 'Behandler',
  place: 'Sted',
  all: 'Alle',
  mode: 'Oppmøte eller video',
  bothModes: 'Begge deler',
  filterShow: 'Vis timer',
  filterClear: 'Fjern filtrene',

  week: (number: number, days: string) => `Uke ${number}: ${days}`,
  found: (count: number) =>
    count === 0
      ? 'Ingen ledige timer'
      : count === 1
        ? 'Én ledig time'
        : `${count} ledige timer, de tidligste først`,
  first: (day: string) => `Den første ledige timen er ${day}.`,
  allOfDay: (count: number, day: string) => `Vis alle ${count} timene ${day}`,
  wholeWeek: 'Vis hele uken',
  moreOfDay: 'Vis flere timer',
  days: 'Dager med ledige timer',
  onDay: (count: number) => (count === 1 ? '1 time' : `${count} timer`),
  noneOnDays: (days: string) => `${days}: ingen ledige timer`,
  through: (from: string, to: string) => `${from} til ${to}`,
  emptyDays: 'Det er ingen ledige timer disse dagene.',
  emptyFiltered: 'Ingen ledige timer disse dagene passer med filtrene.',
  emptyAll: (days: number) =>
    `Vi finner ingen ledige timer de neste ${days} dagene. Be om hjelp, så finner vi en løsning sammen med deg.`,
  emptyAllFiltered: (days: number) => `Ingen ledige timer de neste ${days} dagene passer med filtrene.`,
  goToFirst: 'Gå til første ledige time',
  unavailable: (names: string) =>
    `Vi får ikke svar fra ${names} akkurat nå, så de ledige timene der mangler i listen.`,
  allUnavailable: 'Vi får ikke svar fra noen av klinikkene akkurat nå. Prøv igjen om noen minutter.',
  tryAgain: 'Prøv igjen',
  paging: 'Andre dager',
  laterWeek: 'Neste uke',
  earlierWeek: 'Forrige uke',
  laterDay: 'Neste dag',
  earlierDay: 'Forrige dag',

  cancelled: 'Timen er avlyst. Du kan velge en ny her.',
  chooseAgain: 'Timen du hadde, utgår dessverre. Det beklager vi. Velg en ny her.',
  helpIsComing: 'Vi har fått meldingen din og tar kontakt. Du kan også bestille selv her.',
};
