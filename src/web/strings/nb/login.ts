export const loginStatus = {
  mismatch: {
    title: 'Navnet stemmer ikke',
    text: [
      'Navnet fra innloggingen er ikke det samme som navnet denne timen er til. Derfor kan vi ikke vise den.',
      'Kom lenken til noen andre, må de logge inn selv. Er lenken til deg, kan navnet være skrevet feil hos forsikringsselskapet: be om hjelp, så retter vi det.',
    ],
  },
  login_cancelled: { title: 'Innloggingen ble avbrutt', text: ['Du kan prøve igjen når du vil.'] },
  login_expired: { title: 'Innloggingen tok for lang tid', text: ['Det går bra. Logg inn en gang til.'] },
  login_failed: {
    title: 'Innloggingen virket ikke',
    text: ['Vi fikk ikke bekreftet hvem du er. Prøv en gang til. Går det fortsatt ikke, kan du be om hjelp.'],
  },
  login_no_name: {
    title: 'Vi fikk ikke navnet ditt',
    text: ['Innloggingen ga oss ikke navnet vi trenger. Prøv en annen eID, eller be om hjelp.'],
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
