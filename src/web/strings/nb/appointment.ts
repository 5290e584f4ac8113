export const facts = {
  when: 'Når',
  with: 'Hos',
  practitioner: 'Behandler',
  where: 'Sted',
  mode: { in_person: 'Oppmøte', video: 'Video' },
  reference: 'Referanse',
};

export const confirm = {
  title: 'Bekreft timen',
  lead: 'Stemmer dette?',
  replaces: 'Timen du har nå, blir avlyst når den nye er bekreftet:',
  confirm: 'Bekreft timen',
  other: 'Velg en annen time',
};

export const taken = {
  title: 'Timen ble nettopp tatt',
  lead: 'Noen andre rakk timen før deg. Du har ikke mistet noe. Her er de nærmeste som er ledige:',
  none: 'Vi fant ingen andre ledige timer i nærheten av den.',
  all: 'Se alle ledige timer',
};

export const confirming = {
  title: 'Vi bekrefter timen',
  lead: 'Det tar litt lengre tid enn vanlig. Du trenger ikke gjøre noe: siden oppdaterer seg selv.',
  leave: 'Du kan også lukke siden. Vi sender deg en melding når timen er bekreftet.',
  refresh: 'Oppdater nå',
};

export const receipt = {
  title: 'Timen din',
  confirmed: 'Timen er bestilt.',
  transferred: 'Timen står i kalenderen hos stedet du skal til.',
  beingTransferred: 'Timen er din. Vi fører den inn i kalenderen hos stedet du skal til.',
  calendar: 'Legg timen i kalenderen (.ics)',
  change: 'Endre timen',
  cancel: 'Avlys timen',
  sent: 'Vi sender deg en bekreftelse.',
};

export const cancel = {
  title: 'Avlys timen?',
  lead: 'Dette er timen du avlyser:',
  warning: 'Timen blir ledig for andre. Vil du bare bytte tid, velger du å endre den.',
  cancel: 'Ja, avlys timen',
  keep: 'Nei, behold timen',
};
