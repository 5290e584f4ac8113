/** What stands on every page, or on many. */
export const frame = {
  skip: 'Hopp til innholdet',
  service: 'Timebestilling',
  otherLanguage: 'English',
  logout: 'Logg ut',
  loggedInAs: (name: string) => `Logget inn: ${name}`,
  back: 'Tilbake',
  login: 'Logg inn med BankID eller annen eID',
  startAgain: 'Gå til start',
  getHelp: 'Be om hjelp',
  seeTimes: 'Se ledige timer',
  contact: 'Trenger du hjelp?',
  call: 'Ring',
  write: 'eller skriv til',
  norwegianTime: 'Alle klokkeslett er norsk tid.',
  onBehalfOf: (partner: string) => `på vegne av ${partner}`,
};
