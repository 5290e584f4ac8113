export const welcome = {
  title: 'Bestill timen din',
  from: (partner: string) =>
    `${partner} har gitt deg tilgang til å bestille en time. Du velger selv tid og sted.`,
  deadline: (day: string) => `Bestill senest ${day}.`,
  loginHint: 'Du logger inn med elektronisk ID, for eksempel BankID. Det hele tar et minutt eller to.',
  loginToBook: 'Logg inn og velg time',
  steps: 'Slik gjør du det',
  stepList: ['Logg inn, så vi vet at det er deg.', 'Velg en time som passer.', 'Bekreft, så er timen din.'],
  closedTitle: 'Timebestilling',
  closed:
    'Har du bestilt time, finner du den her og kan endre eller avlyse den. Har du ikke bestilt, ser du hvorfor det ikke går nå.',
  loginToSee: 'Logg inn og se timen',
  ended: 'Du er logget ut fordi det gikk en stund uten at du gjorde noe. Logg inn igjen for å fortsette.',
  never: 'Dette ber vi deg aldri om',
  neverList: ['fødselsnummer, passord eller koder på e-post, SMS eller telefon', 'kortnummer eller betaling'],
  neverButThere:
    'Når du logger inn, kan BankID eller en annen eID be om fødselsnummer og kode. Da er du på deres side, ikke vår.',
  cannotLogIn: 'Får du ikke logget inn?',
  cannotLogInText: 'Vi kan hjelpe deg, også uten at du logger inn.',
  notYours: 'Er ikke dette til deg?',
  notYoursLink: 'Si fra at meldingen ikke var til deg',
};
