/** Everything that the pages say, in bokmål. Its shape is what `en.ts` has to fill. */
export const nb = {
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

  welcome: {
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
  },

  times: {
    title: 'Velg en time',
    titleChange: 'Velg en ny time',
    keepsOld: 'Du beholder timen du har, til den nye er bekreftet:',
    keep: 'Behold timen jeg har',
    deadline: (day: string) => `Siste dag å bestille er ${day}.`,
    range: (from: string, to: string) => `Ledige timer fra ${from} til ${to}`,
    filter: 'Behandlingssted',
    filterAll: 'Alle',
    filterShow: 'Vis',
    noneOnDays: (days: string) => `${days}: ingen ledige timer`,
    through: (from: string, to: string) => `${from} til ${to}`,
    empty: 'Det er ingen ledige timer i disse dagene. Prøv senere dager, eller be om hjelp.',
    unavailable: (names: string) =>
      `Vi får ikke svar fra ${names} akkurat nå. De andre timene ser du her. Prøv gjerne igjen om litt.`,
    allUnavailable: 'Vi får ikke svar fra noen av stedene akkurat nå. Prøv igjen om noen minutter.',
    tryAgain: 'Prøv igjen',
    later: 'Senere dager',
    earlier: 'Tidligere dager',
    cancelled: 'Timen er avlyst. Du kan velge en ny her.',
    chooseAgain: 'Timen du hadde, utgår dessverre. Vi beklager. Velg en ny her.',
  },

  facts: {
    when: 'Når',
    with: 'Hos',
    practitioner: 'Behandler',
    where: 'Sted',
    mode: { in_person: 'Oppmøte', video: 'Video' },
    reference: 'Referanse',
  },

  confirm: {
    title: 'Bekreft timen',
    lead: 'Stemmer dette?',
    replaces: 'Timen du har nå, blir avlyst når den nye er bekreftet:',
    confirm: 'Bekreft timen',
    other: 'Velg en annen time',
  },

  taken: {
    title: 'Timen ble nettopp tatt',
    lead: 'Noen andre rakk timen før deg. Du har ikke mistet noe. Her er de nærmeste som er ledige:',
    none: 'Vi fant ingen andre ledige timer i nærheten av den.',
    all: 'Se alle ledige timer',
  },

  receipt: {
    title: 'Timen din',
    confirmed: 'Timen er bestilt.',
    transferred: 'Timen står i kalenderen hos stedet du skal til.',
    beingTransferred: 'Timen er din. Vi fører den inn i kalenderen hos stedet du skal til.',
    calendar: 'Legg timen i kalenderen (.ics)',
    change: 'Endre timen',
    cancel: 'Avlys timen',
    sent: 'Vi sender deg en bekreftelse.',
  },

  cancel: {
    title: 'Avlys timen?',
    lead: 'Dette er timen du avlyser:',
    warning: 'Timen blir ledig for andre. Vil du bare bytte tid, velger du å endre den.',
    cancel: 'Ja, avlys timen',
    keep: 'Nei, behold timen',
  },

  help: {
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
  },

  helpReceived: {
    title: 'Vi har fått meldingen din',
    lead: 'Vi tar kontakt med deg så snart vi kan, vanligvis innen én arbeidsdag.',
    canBook: 'Du kan fortsatt bestille time selv.',
  },

  confirming: {
    title: 'Vi bekrefter timen',
    lead: 'Det tar litt lengre tid enn vanlig. Du trenger ikke gjøre noe: siden oppdaterer seg selv.',
    leave: 'Du kan også lukke siden. Vi sender deg en melding når timen er bekreftet.',
    refresh: 'Oppdater nå',
  },

  status: {
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
      text: [
        'Vi fikk ikke bekreftet hvem du er. Prøv en gang til. Går det fortsatt ikke, kan du be om hjelp.',
      ],
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
  },
};

export type Strings = typeof nb;
export type StatusKind = keyof Strings['status'];
