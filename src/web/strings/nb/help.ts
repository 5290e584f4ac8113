export const help = {
  title: 'Be om hjelp',
  lead: 'Skriv hva du trenger hjelp til, så tar vi kontakt.',
  noLogin: 'Du trenger ikke logge inn.',
  who: (partner: string) => `Meldingen leses av oss som driver timebestillingen. ${partner} får ikke se den.`,
  message: 'Hva trenger du hjelp til? (valgfritt)',
  hint: (letters: number) =>
    `Ikke skriv om helsen din, og ikke skriv fødselsnummer. Du kan skrive inntil ${letters} tegn.`,
  contact: 'Hvordan vil du at vi tar kontakt? (valgfritt)',
  phone: 'Ring meg',
  email: 'Send meg e-post',
  either: 'Det er det samme',
  send: 'Send',
  problem: 'Noe må rettes før vi kan ta imot meldingen',
  faults: {
    message_too_long: (letters: number, over: number) =>
      `Meldingen er ${over} tegn for lang. Kort den ned til høyst ${letters} tegn.`,
    contact_unknown: () => 'Velg hvordan vi skal ta kontakt.',
  },
};

export const helpReceived = {
  title: 'Vi har fått meldingen din',
  next: 'Dette skjer nå',
  lead: 'Vi leser meldingen og tar kontakt med deg, som regel innen én arbeidsdag.',
  receipt: 'Vi sender en bekreftelse samme vei som de andre meldingene om timen.',
  canBook: 'Du kan fortsatt bestille time selv mens du venter.',
  book: 'Bestill time',
};

export const notYours = {
  title: 'Var ikke meldingen til deg?',
  lead: (partner: string) =>
    `Da har ${partner} trolig fått feil e-postadresse eller telefonnummer. Si fra, så slutter vi å sende meldinger dit om denne timen.`,
  tells: (partner: string) => `Vi sier fra til ${partner} at adressen er feil. Vi spør ikke hvem du er.`,
  button: 'Meldingen var ikke til meg',
  mine: 'Meldingen er til meg',
  doneTitle: 'Takk for at du sa fra',
  done: 'Nå slutter vi å sende meldinger om dette, hvis ikke den det gjelder alt har logget inn. Du kan slette den du fikk.',
  later:
    'Lenken virker fortsatt for den det gjelder, men det kommer ingen meldinger, heller ikke om noen bestiller time med den senere.',
  mistake: 'Trykket du feil, eller får du likevel flere? Be om hjelp, så ordner vi det.',
};
