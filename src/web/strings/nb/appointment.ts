export const facts = {
  when: 'Når',
  zone: 'Norsk tid',
  with: 'Klinikk',
  practitioner: 'Behandler',
  where: 'Sted',
  how: 'Møteform',
  mode: { in_person: 'Oppmøte', video: 'Video' },
};

export const confirm = {
  title: 'Stemmer dette?',
  after: 'Når du bekrefter, er timen din. Du kan endre eller avlyse helt til den begynner.',
  replaces: 'Timen du har nå, avlyses når den nye er bekreftet:',
  have: 'Du har allerede en time. Vil du bytte den mot denne?',
  confirm: 'Bekreft timen',
  change: 'Bytt til denne timen',
  other: 'Velg en annen time',
};

export const taken = {
  title: 'Timen ble nettopp tatt',
  lead: 'Noen andre rakk timen rett før deg. Det du har valgt ellers, er ikke borte. Disse er nærmest i tid og ledige nå:',
  none: 'Noen andre rakk timen rett før deg, og det er ingen andre ledige i nærheten av den.',
  all: 'Se alle ledige timer',
};

export const pending = {
  confirm: {
    title: 'Vi bekrefter timen',
    lead: 'Det tar litt lengre tid enn vanlig. Du trenger ikke gjøre noe. Denne siden oppdaterer seg selv.',
    message: 'Vi sender deg en melding når timen er bekreftet.',
  },
  cancel: {
    title: 'Vi avlyser timen',
    lead: 'Det tar litt lengre tid enn vanlig. Du trenger ikke gjøre noe. Denne siden oppdaterer seg selv.',
    message: 'Vi sender deg en melding når timen er avlyst.',
  },
  leave: 'Du kan også lukke siden, og åpne lenken igjen senere.',
  refresh: 'Oppdater nå',
};

export const receipt = {
  title: 'Timen din er bestilt',
  titleStarted: 'Timen din',
  confirmed: 'Du får en bekreftelse på e-post eller SMS.',
  transferred: 'Klinikken har timen din i kalenderen sin.',
  beingTransferred: 'Timen er din. Vi fører den inn i klinikkens kalender nå.',
  calendar: 'Legg timen i kalenderen din',
  change: 'Endre timen',
  cancel: 'Avlys timen',
  until: 'Du kan endre eller avlyse timen helt til den begynner.',
  started: 'Timen har begynt, så den kan ikke endres eller avlyses her.',
  silent:
    'Vi sender ingen meldinger om timen, for noen har sagt fra at meldingene ikke var til dem. Skriv opp tiden, og be om hjelp hvis du vil ha meldinger.',
};

export const cancel = {
  title: 'Vil du avlyse timen?',
  warning: 'Timen blir ledig for andre. Vil du bare ha en annen tid, kan du endre den i stedet.',
  cancel: 'Ja, avlys timen',
  change: 'Endre timen i stedet',
  keep: 'Nei, behold timen',
};
