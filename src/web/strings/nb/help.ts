export const help = {
  title: 'Be om hjelp',
  lead: 'Skriv hva du trenger hjelp til, så tar vi kontakt. Du trenger ikke logge inn.',
  private: (partner: string) => `${partner} får ikke se det du skriver.`,
  message: 'Hva trenger du hjelp til? (frivillig)',
  hint: (letters: number) => `Ikke skriv om helsen din eller fødselsnummer. Høyst ${letters} tegn.`,
  contact: 'Hvordan skal vi ta kontakt? (frivillig)',
  phone: 'Telefon',
  email: 'E-post',
  send: 'Send',
  problem: 'Noe må rettes',
  faults: {
    message_too_long: (letters: number) => `Teksten er for lang. Skriv høyst ${letters} tegn.`,
    contact_unknown: () => 'Velg telefon eller e-post.',
  },
};

export const helpReceived = {
  title: 'Vi har fått meldingen din',
  lead: 'Vi tar kontakt med deg så snart vi kan, vanligvis innen én arbeidsdag.',
  canBook: 'Du kan fortsatt bestille time selv.',
};
