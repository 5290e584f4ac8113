export const caseStatus = {
  expired: {
    title: 'Fristen er ute',
    text: ['Siste dag å bestille time har passert. Be om hjelp, så ser vi hva vi kan gjøre.'],
  },
  recalled: {
    title: 'Du trenger ikke bestille time',
    text: ['Forsikringsselskapet har trukket tilbake saken. Hadde du en time, er den avlyst.'],
  },
  archived: { title: 'Saken er avsluttet', text: ['Her er det ikke mer å gjøre.'] },
  error: {
    title: 'Vi må hjelpe deg videre',
    text: ['Noe gikk galt hos oss, og vi ser på det. Du kan ikke bestille her nå. Ta gjerne kontakt.'],
  },
  stale_form: {
    title: 'Siden var for gammel',
    text: ['Ingenting er endret. Gå tilbake til start og prøv en gang til.'],
  },
  not_allowed: {
    title: 'Det går ikke nå',
    text: ['Saken har endret seg siden du åpnet siden. Gå til start for å se hvordan det står.'],
  },
  started: { title: 'Timen har begynt', text: ['Den kan ikke lenger endres eller avlyses her.'] },
  slot_unknown: { title: 'Vi kjenner ikke den timen', text: ['Velg en av de ledige timene.'] },
  unknown_case: {
    title: 'Vi finner ikke siden',
    text: ['Lenken er kanskje ikke hel. Åpne den fra meldingen du fikk, eller kopier hele lenken.'],
  },
  temporarily_unavailable: {
    title: 'Det går ikke akkurat nå',
    text: ['Ingenting er endret. Prøv igjen om et øyeblikk.'],
  },
  unexpected: {
    title: 'Noe gikk galt hos oss',
    text: ['Vi har fått beskjed. Prøv igjen om litt, eller ta kontakt.'],
  },
  too_many: { title: 'For mange forsøk', text: ['Vent litt, og prøv igjen.'] },
  too_much_help: {
    title: 'Vi har allerede meldingen din',
    text: ['Du har bedt om hjelp flere ganger i dag. Vi tar kontakt. Haster det, kan du ringe.'],
  },
};
