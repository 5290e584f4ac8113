/** Nothing here tells a stranger whether it is the name, or that somebody else has logged in before. */
export const loginStatus = {
  mismatch: {
    title: 'Innloggingen passer ikke til denne lenken',
    text: [
      'Du er logget inn, men vi kan ikke vise timen for deg. Lenken kan være til noen andre, eller navnet kan være skrevet feil hos forsikringsselskapet.',
      'Er lenken til deg? Be om hjelp, så retter vi det. Har du logget inn her før med en annen eID, så prøv den.',
      'Er lenken til noen andre, må de logge inn selv.',
    ],
  },
  yours: {
    title: 'Denne timen er din',
    text: [
      'Du er logget inn som den meldingene er til, så vi melder ikke fra om at adressen er feil.',
      'Kommer de til feil e-postadresse eller telefonnummer, eller vil du ikke ha dem? Be om hjelp, så ordner vi det.',
    ],
  },
  login_cancelled: { title: 'Innloggingen ble avbrutt', text: ['Du kan prøve igjen når du vil.'] },
  login_expired: { title: 'Innloggingen tok for lang tid', text: ['Det går bra. Logg inn en gang til.'] },
  login_failed: {
    title: 'Innloggingen virket ikke',
    text: ['Vi fikk ikke bekreftet hvem du er. Prøv en gang til. Går det fortsatt ikke, kan du be om hjelp.'],
  },
  login_elsewhere: {
    title: 'Logg inn en gang til her',
    text: [
      'Du begynte innloggingen i en annen nettleser, eller nettleseren har glemt den. Det kan skje når telefonen bytter mellom apper.',
      'Ingenting er mistet. Logg inn her, så går du videre i denne nettleseren.',
    ],
  },
  login_lost: {
    title: 'Åpne lenken en gang til',
    text: [
      'Vi ser ikke hvilken time innloggingen gjaldt. Åpne lenken fra meldingen du fikk, og logg inn derfra.',
      'Går det fortsatt ikke, så ta kontakt med oss.',
    ],
  },
  login_no_name: {
    title: 'Vi fikk ikke navnet ditt',
    text: ['Innloggingen ga oss ikke navnet vi trenger. Prøv en annen eID, eller be om hjelp.'],
  },
  login_level: {
    title: 'Du må bruke en sikrere innlogging',
    text: [
      'For å vise timen må vi vite sikkert at det er deg. Logg inn en gang til, og velg en eID på høyere nivå, for eksempel BankID med kodebrikke eller med app og passord.',
      'Har du ikke det, kan du be om hjelp.',
    ],
  },
  eid_unavailable: {
    title: 'Innloggingen er nede akkurat nå',
    text: ['Vi får ikke kontakt med eID-tjenesten. Prøv igjen om noen minutter.'],
  },
  session_ended: {
    title: 'Du er logget ut',
    text: ['Av sikkerhetsgrunner blir du logget ut etter en stund. Logg inn for å fortsette.'],
  },
  logged_out: { title: 'Du er logget ut', text: ['Du kan lukke siden.'] },
};
