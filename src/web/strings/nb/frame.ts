/** What stands on every page, or on many. */
export const frame = {
  skip: 'Hopp til innholdet',
  service: 'Timebestilling',
  onBehalfOf: (partner: string) => `for ${partner}`,
  otherLanguage: 'English',
  logout: 'Logg ut',
  back: 'Tilbake',
  login: 'Logg inn',
  loginAgain: 'Logg inn på nytt',
  startAgain: 'Gå til start',
  getHelp: 'Be om hjelp',
  seeTimes: 'Se ledige timer',
  norwegianTime: 'Alle klokkeslett er norsk tid.',
  fault: (title: string) => `Feil: ${title}`,

  support: {
    title: 'Trenger du hjelp?',
    call: 'Ring oss på',
    write: 'eller skriv til',
  },

  session: {
    who: (name: string) => `Du er logget inn som ${name}.`,
    until: (time: string) => `Vi logger deg ut ${time} norsk tid hvis du ikke gjør noe før det.`,
    last: (time: string) => `Du blir logget ut ${time} norsk tid. Da kan du logge inn på nytt.`,
    more: 'Gi meg mer tid',
    warning: 'Du blir snart logget ut',
    why: 'Det gjør vi for at ingen andre skal se timen din.',
    stay: 'Fortsett innlogget',
    close: 'Lukk',
  },
};
