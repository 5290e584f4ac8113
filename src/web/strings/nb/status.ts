/** Where a case stands when it can't be booked, and what may come in the way. */
export const caseStatus = {
  expired: {
    title: 'Fristen for å bestille er ute',
    text: [
      'Du kan ikke bestille time her lenger. Be om hjelp hvis du fortsatt trenger timen, så ser vi hva vi kan gjøre.',
    ],
  },
  recalled: {
    title: 'Du trenger ikke bestille time',
    text: [
      'Forsikringsselskapet har trukket saken tilbake. Hadde du en time, er den avlyst.',
      'Kom dette overraskende? Kontakt forsikringsselskapet, eller ring oss.',
    ],
  },
  archived: {
    title: 'Saken er avsluttet',
    text: ['Du trenger ikke gjøre noe mer her. Har du spørsmål, kan du ringe oss.'],
  },
  transfer_refused: {
    title: 'Klinikken fikk ikke registrert timen',
    text: [
      'Timen du valgte, er dessverre ikke bekreftet. Det er ikke din feil, og vi ordner det med klinikken.',
      'Du hører fra oss. Be om hjelp eller ring hvis det haster.',
    ],
  },
  error: {
    title: 'Noe gikk galt hos oss',
    text: [
      'Vi er i gang med å rette det. Du kan ikke bestille her nå. Be om hjelp eller ring hvis det haster.',
    ],
  },
  not_booked: {
    title: 'Timen ble ikke bestilt',
    text: [
      'Vi fikk ikke bekreftet timen i tide, så den er ikke din. Den kan fortsatt være ledig. Prøv igjen, eller velg en annen.',
    ],
  },
  not_changed: {
    title: 'Timen ble ikke byttet',
    text: [
      'Vi fikk ikke bekreftet den nye timen i tide. Du har fortsatt timen du hadde. Prøv igjen, eller velg en annen.',
    ],
  },
  not_cancelled: {
    title: 'Timen ble ikke avlyst',
    text: ['Vi fikk ikke gjort det nå, så du har fortsatt timen. Prøv igjen om litt, eller ring oss.'],
  },
  provider_away: {
    title: 'Klinikken svarer ikke akkurat nå',
    text: [
      'Ingenting er endret, og timen er ikke tatt fra deg. Prøv den samme timen igjen om litt, eller velg en annen.',
    ],
  },
  slot_unknown: {
    title: 'Vi kjenner ikke igjen den timen',
    text: ['Kanskje er siden gammel, eller lenken ikke hel. Velg en av timene som er ledige nå.'],
  },
  started: {
    title: 'Timen har begynt',
    text: ['Den kan ikke lenger endres eller avlyses her. Ring klinikken eller oss hvis det er noe.'],
  },
  not_allowed: {
    title: 'Det går ikke nå',
    text: ['Saken har endret seg siden du åpnet siden. Gå til start for å se hvordan den står.'],
  },
  help_not_possible: {
    title: 'Vi kan ikke ta imot meldinger her',
    text: ['Ring oss eller send e-post i stedet, så hjelper vi deg.'],
  },
  too_much_help: {
    title: 'Vi har allerede meldingene dine',
    text: ['Du har bedt om hjelp flere ganger i dag, og vi tar kontakt. Haster det, kan du ringe oss.'],
  },
  too_long: {
    title: 'Teksten er for lang',
    text: ['Vi kunne ikke ta imot så mye tekst. Gå tilbake, skriv kortere og send på nytt.'],
  },
  stale_form: {
    title: 'Siden var for gammel',
    text: ['Ingenting er endret. Gå til start og prøv en gang til.'],
  },
  unknown_case: {
    title: 'Vi finner ikke siden',
    text: [
      'Lenken er kanskje ikke hel. Åpne den fra meldingen du fikk, eller kopier hele lenken inn i nettleseren.',
      'Går det fortsatt ikke, kan du ringe oss.',
    ],
  },
  unknown_page: {
    title: 'Vi finner ikke siden',
    text: ['Gå til start for å komme videre.'],
  },
  temporarily_unavailable: {
    title: 'Det går ikke akkurat nå',
    text: ['Ingenting er endret. Prøv igjen om et øyeblikk.'],
  },
  unexpected: {
    title: 'Noe gikk galt hos oss',
    text: ['Vi har fått beskjed. Prøv igjen om litt. Går det fortsatt ikke, kan du ringe oss.'],
  },
  too_many: {
    title: 'For mange forsøk',
    text: ['Vent et kvarter, og prøv igjen. Haster det, kan du ringe oss.'],
  },
};
