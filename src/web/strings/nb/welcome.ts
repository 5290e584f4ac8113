export const welcome = {
  title: 'Bestill time',
  from: (partner: string) => `${partner} har gitt deg tilgang til å bestille en time her.`,
  deadline: (day: string) => `Siste dag å bestille er ${day}.`,
  steps: 'Slik gjør du det',
  stepList: ['Logg inn, så vi vet at det er deg.', 'Velg en ledig time.', 'Bekreft. Da er timen din.'],
  closed: 'Det er ikke mulig å bestille time her nå. Logg inn for å se hvorfor, eller be om hjelp.',
  never: 'Dette spør vi aldri om',
  neverList: [
    'Fødselsnummer, passord eller koder på e-post, SMS eller telefon.',
    'Kortnummer eller betaling.',
  ],
  cannotLogIn: 'Kan du ikke logge inn?',
};
