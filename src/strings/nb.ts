/** All that customers read, in bokmål: pages first, then messages. Its shape is what the other languages have to fill. */
export const nb = {
  /** What stands on every page, or on many. */
  skip: 'Hopp til innholdet',
  service: 'Timebestilling',
  onBehalfOf: 'for {partner}',
  languageName: 'Bokmål',
  languages: 'Språk',
  logout: 'Logg ut',
  back: 'Tilbake',
  login: 'Logg inn',
  loginAgain: 'Logg inn på nytt',
  startAgain: 'Gå til start',
  getHelp: 'Be om hjelp',
  seeTimes: 'Se ledige timer',
  norwegianTime: 'Alle klokkeslett er norsk tid.',
  fault: 'Feil: {title}',
  offline: 'Du er uten nett akkurat nå. Ingenting er sendt. Siden blir stående til du er på nett igjen.',
  callUs: 'Ring oss på {phone}',

  support: {
    title: 'Trenger du hjelp?',
    call: 'Ring oss på',
    write: 'eller skriv til',
    reference: 'Oppgi gjerne referansen {reference}.',
  },

  session: {
    who: 'Du er logget inn som {name}.',
    until: 'Vi logger deg ut {time} norsk tid hvis du ikke gjør noe før det.',
    last: 'Du blir logget ut {time} norsk tid. Da kan du logge inn på nytt.',
    more: 'Gi meg mer tid',
    warning: 'Du blir snart logget ut',
    why: 'Det gjør vi for at ingen andre skal se timen din.',
    stay: 'Fortsett innlogget',
    close: 'Lukk',
  },

  welcome: {
    title: 'Bestill timen din',
    from: '{partner} har gitt deg tilgang til å bestille en time. Du velger selv tid og sted.',
    deadline: 'Bestill innen {day}. Selve timen kan være senere.',
    loginHint: 'Du logger inn med elektronisk ID, for eksempel BankID. Det hele tar et minutt eller to.',
    loginToBook: 'Logg inn og velg time',
    steps: 'Slik gjør du det',
    stepList: ['Logg inn, så vi vet at det er deg.', 'Velg en time som passer.', 'Bekreft, så er timen din.'],
    closedTitle: 'Timebestilling',
    closed:
      'Har du bestilt time, finner du den her og kan endre eller avlyse den. Har du ikke bestilt, ser du hvorfor det ikke går nå.',
    loginToSee: 'Logg inn og se timen',
    ended: 'Du er logget ut fordi det gikk for lang tid. Logg inn igjen for å fortsette.',
    never: 'Dette ber vi deg aldri om',
    neverList: [
      'fødselsnummer, passord eller koder på e-post, SMS eller telefon',
      'kortnummer eller betaling',
    ],
    neverButThere:
      'Når du logger inn, kan BankID eller en annen eID be om fødselsnummer og kode. Da er du på deres side, ikke vår.',
    cannotLogIn: 'Får du ikke logget inn?',
    cannotLogInText: 'Vi kan hjelpe deg, også uten at du logger inn.',
    notYours: 'Er ikke dette til deg?',
    notYoursLink: 'Si fra at meldingen ikke var til deg',
  },

  where: {
    title: 'Hvor vil du ha timen?',
    elsewhere: 'Oppmøte, alle steder',
    video: 'Video',
    anywhere: 'Alle steder og video',
    times: { one: '1 ledig, {day}', other: '{count} ledige, første {day}' },
    hint: 'Her er steder med ledige timer de neste {days} dagene.',
    change: 'Bytt sted',
  },

  times: {
    title: 'Velg time',
    titleChange: 'Velg ny time',
    keepsOld: 'Du beholder timen du har, {when} hos {clinic}, helt til den nye er bekreftet.',
    keep: 'Behold timen jeg har',
    deadline: 'Bestill innen {day}. Selve timen kan være senere.',

    filter: 'Filtrer timene',
    filtersOn: { one: '1 filter er på', other: '{count} filtre er på' },
    provider: 'Klinikk',
    practitioner: 'Behandler',
    all: 'Alle',
    mode: 'Oppmøte eller video',
    bothModes: 'Begge deler',
    filterShow: 'Vis timer',
    filterClear: 'Nullstill valgene',
    filterShowCount: { '=0': 'Ingen ledige', one: 'Vis 1 ledig', other: 'Vis {count} ledige' },
    partOfDay: 'Tid på dagen',
    anyPartOfDay: 'Hele dagen',
    partsOfDay: { morning: 'Før kl. 12', afternoon: 'Kl. 12–17', evening: 'Etter kl. 17' },
    speaks: 'Språk behandleren snakker',
    gender: 'Behandlerens kjønn',
    genders: { female: 'Kvinne', male: 'Mann' },
    profession: 'Behandlerens yrke',

    week: 'Uke {number}: {days}',
    found: {
      '=0': 'Ingen ledige timer',
      one: 'Én ledig time',
      other: '{count} ledige timer, de tidligste først',
    },
    first: 'Den første ledige timen er {day}.',
    allOfDay: 'Vis alle {count} timene {day}',
    wholeWeek: 'Vis hele uken',
    moreOfDay: 'Vis flere timer',
    fewerOfDay: 'Vis de forrige timene',
    range: 'Time {from}–{to} av {count}',
    days: 'Dager med ledige timer',
    onDay: { one: '1 ledig', other: '{count} ledige' },
    noneOnDays: '{days}: ingen ledige timer',
    through: '{from} til {to}',
    emptyDays: 'Det er ingen ledige timer disse dagene.',
    emptyFiltered: 'Ingen ledige timer disse dagene passer til valgene dine.',
    emptyAll:
      'Vi finner ingen ledige timer de neste {days} dagene. Be om hjelp, så finner vi en løsning sammen med deg.',
    emptyAllFiltered: 'Ingen ledige timer de neste {days} dagene passer til valgene dine.',
    goToFirst: 'Gå til første ledige time',
    goToNext: 'Gå til {day}, neste dag med ledige timer',
    unavailable: 'Vi får ikke svar fra {names} akkurat nå, så de ledige timene der mangler i listen.',
    awaited: 'Vi venter på svar fra {names}.',
    showAwaited: 'Vis timene derfra også',
    allUnavailable: 'Vi får ikke svar fra noen av klinikkene akkurat nå. Prøv igjen om noen minutter.',
    tryAgain: 'Prøv igjen',
    paging: 'Andre dager',
    laterWeek: 'Neste uke',
    earlierWeek: 'Forrige uke',
    laterDay: 'Neste dag',
    earlierDay: 'Forrige dag',

    cancelled: {
      title: 'Timen er avlyst',
      text: 'Du kan fortsatt bestille en ny time gjennom {partner}, innen {day}.',
    },
    chooseAgain: {
      title: 'Klinikken har avlyst timen din',
      text: 'Det beklager vi. Du kan velge en ny time gjennom {partner} her, innen {day}.',
    },
    helpIsComing: 'Vi har fått meldingen din og tar kontakt. Du kan også bestille selv her.',
  },

  facts: {
    when: 'Når',
    zone: 'Norsk tid',
    with: 'Klinikk',
    practitioner: 'Behandler',
    what: 'Behandling',
    where: 'Sted',
    map: 'Se på kart',
    know: 'Godt å vite',
    phone: 'Telefon',
    speaks: 'Snakker {languages}',
    payment: 'Betaling',
    paidBy: '{partner} betaler. Spør dem hvis du lurer på egenandel.',
    mode: { in_person: 'Oppmøte', video: 'Video' },
  },

  confirm: {
    title: 'Stemmer dette?',
    titleChange: 'Vil du bytte til denne timen?',
    after: 'Når du bekrefter, er timen din. Du kan endre eller avlyse helt til den begynner.',
    replaces: 'Timen du har nå, {when} hos {clinic}, avlyses når den nye er bekreftet.',
    have: 'Du har allerede en time. Vil du bytte den mot denne?',
    confirm: 'Bekreft timen',
    change: 'Bytt til denne timen',
    another: 'Velg en annen time',
  },

  taken: {
    title: 'Timen ble nettopp tatt',
    lead: 'Noen andre rakk timen rett før deg. Det du har valgt ellers, er ikke borte. Disse er nærmest i tid og ledige nå:',
    none: 'Noen andre rakk timen rett før deg, og det er ingen andre ledige i nærheten av den.',
    all: 'Se alle ledige timer',
  },

  pending: {
    confirm: {
      title: 'Vi bekrefter timen',
      lead: 'Det tar litt lengre tid enn vanlig. Du trenger ikke gjøre noe. Denne siden oppdaterer seg selv.',
      message: 'Vi sender deg en melding når timen er bekreftet.',
    },
    cancel: {
      title: 'Vi avlyser timen',
      lead: 'Det tar litt lengre tid enn vanlig. Du trenger ikke gjøre noe. Denne siden oppdaterer seg selv.',
      message: 'Vi sender deg en melding når timen er avlyst.',
    },
    leave: 'Du kan også lukke siden, og åpne lenken igjen senere.',
    refresh: 'Oppdater nå',
  },

  receipt: {
    title: 'Timen din er bestilt',
    titleStarted: 'Timen din',
    confirmed: 'Du får en bekreftelse på e-post eller SMS.',
    transferred: 'Klinikken har registrert timen din.',
    beingTransferred: 'Timen er din. Vi fører den inn i klinikkens kalender nå.',
    calendar: 'Legg timen i kalenderen din',
    change: 'Endre timen',
    cancel: 'Avlys timen',
    until: 'Du kan endre eller avlyse timen helt til den begynner.',
    started: 'Timen har begynt, så den kan ikke endres eller avlyses her.',
    silent:
      'Vi sender ingen meldinger om timen, for noen har sagt fra at meldingene ikke var til dem. Skriv opp tiden, og be om hjelp hvis du vil ha meldinger.',
    earlier: {
      title: 'Vil du ha en tidligere time?',
      text: 'Vi kan si fra når det blir ledig en time som er minst en uke før din, i samme by eller på video som nå. Den som bekrefter først, får den. Du beholder timen din til du bytter.',
      ask: 'Si fra om tidligere timer',
      on: 'Vi sier fra når det blir ledig en time som er minst en uke før din. Du får høyst én slik melding om dagen, og ingen om natten.',
      stop: 'Ikke si fra lenger',
    },
  },

  cancel: {
    title: 'Vil du avlyse timen?',
    warning: 'Timen blir ledig for andre. Vil du bare ha en annen tid, kan du endre den i stedet.',
    cancel: 'Ja, avlys timen',
    change: 'Endre timen i stedet',
    keep: 'Nei, behold timen',
  },

  help: {
    title: 'Be om hjelp',
    lead: 'Skriv hva du trenger hjelp til, så tar vi kontakt.',
    noLogin: 'Du trenger ikke logge inn.',
    who: 'Meldingen leses av oss som driver timebestillingen. {partner} får ikke se den.',
    message: 'Hva trenger du hjelp til? (valgfritt)',
    hint: 'Ikke skriv om helsen din, og ikke skriv fødselsnummer. Du kan skrive inntil {letters} tegn.',
    contact: 'Hvordan vil du at vi tar kontakt? (valgfritt)',
    phone: 'Ring meg',
    email: 'Send meg e-post',
    either: 'Det er det samme',
    number: 'Telefonnummer (hvis vi skal ringe)',
    numberHint: 'La feltet stå tomt hvis vi kan bruke nummeret du fikk meldingen på.',
    bestTime: 'Når passer det best at vi ringer?',
    anyTime: 'Når som helst',
    morning: 'Før klokken 12',
    afternoon: 'Etter klokken 12',
    interpreter: 'Trenger du tolk? (valgfritt)',
    interpreterHint: 'Skriv hvilket språk.',
    send: 'Send',
    problem: 'Noe må rettes før vi kan ta imot meldingen',
    faults: {
      message_too_long: 'Meldingen er {over} tegn for lang. Kort den ned til høyst {letters} tegn.',
      contact_unknown: 'Velg hvordan vi skal ta kontakt.',
      phone_missing: 'Skriv telefonnummeret vi skal ringe.',
      phone_wrong: 'Telefonnummeret ser ikke riktig ut. Skriv åtte siffer, eller et nummer med landkode.',
      interpreter_wrong: 'Skriv bare språket du trenger tolk i.',
      name_wrong: 'Skriv navnet ditt.',
      relation_missing: 'Velg hvem du er for den timen gjelder.',
    },
    /** For parents, guardians and others who help. */
    another: {
      title: 'Bestiller du for noen andre?',
      link: 'Bestill for et barn eller for noen du hjelper',
      text: [
        'Timen kan bare bestilles med eID-en til den timen gjelder. Ikke logg inn med din egen, for da kommer du ikke videre.',
        'Er du forelder eller verge, eller hjelper du noen som ikke kan logge inn? Skriv til oss her. Vi ringer deg, spør hvem du er, og bestiller timen sammen med deg.',
      ],
      name: 'Navnet ditt',
      relation: 'Hvem er du for den timen gjelder?',
      relations: { parent: 'Forelder', guardian: 'Verge', helper: 'Jeg hjelper personen' },
      phone: 'Telefonnummeret ditt',
    },
  },

  helpReceived: {
    title: 'Vi har fått meldingen din',
    next: 'Dette skjer nå',
    lead: 'Vi leser meldingen og tar kontakt med deg, som regel innen én arbeidsdag.',
    receipt: 'Vi sender en bekreftelse samme vei som de andre meldingene om timen.',
    canBook: 'Du kan fortsatt bestille time selv mens du venter.',
    book: 'Bestill time',
  },

  notYours: {
    title: 'Var ikke meldingen til deg?',
    lead: 'Da har {partner} trolig fått feil e-postadresse eller telefonnummer. Si fra, så slutter vi å sende meldinger dit om denne timen.',
    tells: 'Vi sier fra til {partner} at adressen er feil. Vi spør ikke hvem du er.',
    button: 'Meldingen var ikke til meg',
    mine: 'Meldingen er til meg',
    doneTitle: 'Takk for at du sa fra',
    done: 'Nå slutter vi å sende meldinger om dette, med mindre riktig person allerede har logget inn. Du kan slette den du fikk.',
    later:
      'Lenken virker fortsatt for den det gjelder, men det kommer ingen meldinger, heller ikke om noen bestiller time med den senere.',
    mistake: 'Trykket du feil, eller får du likevel flere? Be om hjelp, så ordner vi det.',
  },

  /** For anybody, without a link: whether a message is genuine. */
  home: {
    title: 'Har du fått en melding om å bestille time?',
    lead: 'Vi sender e-post og SMS for forsikringsselskaper til dem som kan bestille en time på nett.',
    genuine: 'Slik kjenner du igjen en ekte melding',
    signs: [
      'Lenken begynner med {url}',
      'Meldingen sier hvilket forsikringsselskap den gjelder.',
      'Telefonnummeret i meldingen er {phone}.',
      'Vi ber aldri om fødselsnummer, passord, koder eller betaling på e-post, SMS eller telefon.',
    ],
    unsure:
      'Er du i tvil? Ikke trykk på lenken. Ring oss, eller ring forsikringsselskapet ditt på nummeret du finner på nettsiden deres.',
    booking: 'Vil du bestille, endre eller avlyse?',
    open: 'Åpne lenken i meldingen du fikk. Finner du den ikke, kan du ringe oss.',
  },

  access: {
    title: 'Hvem har sett saken din',
    lead: 'Her står det hvem som har sett saken din hos oss, og når de gjorde det sist.',
    nobody: 'Ingen andre enn du har åpnet saken ennå.',
    kinds: {
      partner_opened: {
        one: '{partner} åpnet saken din 1 gang, {day}.',
        other: '{partner} åpnet saken din {count} ganger, sist {day}.',
      },
      partner_listed: {
        one: '{partner} hentet en liste der saken din sto, {day}.',
        other: '{partner} hentet lister der saken din sto, {count} ganger, sist {day}.',
      },
      operator_revealed: {
        one: 'En av oss så navnet ditt og det andre som står i saken, {day}.',
        other: 'Vi så navnet ditt og det andre som står i saken, {count} ganger, sist {day}.',
      },
      operator_worked: {
        one: 'En av oss så hvordan det går med saken din, men ikke navnet ditt, {day}.',
        other: 'Vi så hvordan det går med saken din, men ikke navnet ditt, {count} ganger, sist {day}.',
      },
      messages: {
        one: 'Vi sendte deg 1 melding, {day}.',
        other: 'Vi sendte deg {count} meldinger, sist {day}.',
      },
      clinic: {
        one: 'Klinikken fikk det den trenger for timen din, {day}.',
        other: 'Klinikken fikk det den trenger for timene dine {count} ganger, sist {day}.',
      },
      turned_away: {
        one: 'Noen andre logget inn med lenken din, {day}. De fikk ikke se noe.',
        other: 'Noen andre logget inn med lenken din {count} ganger, sist {day}. De fikk ikke se noe.',
      },
      link_opened: {
        one: 'Lenken din ble åpnet uten innlogging, {day}. Da vises ingenting om deg.',
        other: 'Lenken din ble åpnet uten innlogging {count} ganger, sist {day}. Da vises ingenting om deg.',
      },
      yours: {
        one: 'Du så på sidene selv, {day}.',
        other: 'Du så på sidene selv, {count} ganger, sist {day}.',
      },
    },
    clinic: 'Når du bestiller en time, får klinikken det den trenger for timen.',
    wrong: 'Er det noe her du ikke kjenner igjen? Ta kontakt med oss.',
    back: 'Til saken din',
  },

  about: {
    title: 'Om timebestillingen',
    runBy: 'Timebestillingen drives av {name}.',
    insurers:
      'Forsikringsselskapet ditt har gitt deg tilgang til å bestille en time på nett. Vi viser deg de ledige timene, og sørger for at timen du velger, kommer fram til klinikken. Du logger inn med BankID eller en annen eID, så ingen andre bestiller for deg.',
    responsible: 'Hvem vi er',
    name: 'Navn',
    organisationNumber: 'Organisasjonsnummer',
    address: 'Adresse',
  },

  privacy: {
    title: 'Personvern',
    lead: 'Her står det hva {name} vet om deg når du bestiller time, hvem som får se det, og hva du kan be oss om.',
    kept: 'Dette vet vi',
    keptList: [
      'Det forsikringsselskapet har gitt oss: navnet ditt, e-postadressen og telefonnummeret, hva timen gjelder, når skaden skjedde, og det de har skrevet om den.',
      'Det eID-en sier når du logger inn: navnet ditt, og fødselsdatoen hvis eID-en oppgir den. Vi tar ikke vare på fødselsnummeret ditt.',
      'Timene du bestiller, endrer og avlyser, og meldingene vi har sendt deg.',
      'Det du skriver til oss når du ber om hjelp.',
    ],
    seen: 'Disse får se det',
    seenList: [
      'Klinikken du bestiller hos, får det den trenger for timen: navnet og fødselsdatoen din, hvordan de når deg, hva skaden er, og hvilket forsikringsselskap det gjelder.',
      'Forsikringsselskapet ser om du har bestilt, hos hvem, hvor og når. Det ser ikke hva du skriver til oss.',
      'De ansatte hos oss ser opplysningene når de må for å hjelpe deg. Hver gang blir skrevet opp.',
      'De som sender e-post og SMS for oss, får adressen eller nummeret ditt og det som står i meldingen.',
    ],
    seenBy: 'Hvem som har sett saken din, og når, kan du selv se når du har logget inn.',
    cookies: 'Informasjonskapsler',
    cookieList: [
      'Vi bruker bare dem som trengs for at sidene skal virke: at du er logget inn, hvilket språk du leser, hvor du vil ha timen, og at et skjema kom fra nettleseren din.',
      'Ingen av dem følger deg til andre nettsteder.',
    ],
    long: 'Så lenge er saken åpen',
    longText: {
      one: 'Vi avslutter saken dagen etter timen, eller etter at fristen for å bestille gikk ut. Du kan når som helst be oss om å slette.',
      other:
        'Vi avslutter saken {count} dager etter timen, eller etter at fristen for å bestille gikk ut. Du kan når som helst be oss om å slette.',
    },
    erased: {
      one: 'Én måned etter at saken er avsluttet, sletter vi det vi vet om deg, om ikke selskapet og vi har avtalt en annen tid.',
      other:
        '{count} måneder etter at saken er avsluttet, sletter vi det vi vet om deg, om ikke selskapet og vi har avtalt en annen tid.',
    },
    rights: 'Se, rette eller slette',
    rightsText: 'Du kan be om å få se det vi vet om deg, og om å få det rettet eller slettet. Skriv til',
    complain: 'Er du ikke fornøyd med svaret, kan du klage til Datatilsynet.',
  },

  status: {
    /** Where a case stands when it can't be booked, and what may come in the way. */
    expired: {
      title: 'Fristen for å bestille er ute',
      text: [
        'Du kan ikke bestille time her lenger. Be om hjelp hvis du fortsatt trenger timen, så ser vi hva vi kan gjøre.',
      ],
    },
    recalled: {
      title: '{partner} har trukket saken tilbake',
      text: [
        'Du trenger ikke bestille time. Hadde du en time, er den avlyst.',
        'Kom dette overraskende? Kontakt {partner}, eller ring oss.',
      ],
    },
    archived: {
      title: 'Saken er avsluttet',
      text: ['Du trenger ikke gjøre noe mer her. Har du spørsmål, kan du ringe oss.'],
    },
    transfer_refused: {
      title: 'Klinikken fikk ikke registrert timen',
      text: [
        'Timen du valgte, er dessverre ikke bekreftet. Det er ikke din feil, og vi ordner det med klinikken.',
        'Du hører fra oss. Be om hjelp eller ring hvis det haster.',
      ],
    },
    error: {
      title: 'Noe gikk galt hos oss',
      text: [
        'Vi er i gang med å rette det. Du kan ikke bestille her nå. Be om hjelp eller ring hvis det haster.',
      ],
    },
    not_booked: {
      title: 'Timen ble ikke bestilt',
      text: [
        'Vi fikk ikke bekreftet timen i tide, så den er ikke din. Den kan fortsatt være ledig. Prøv igjen, eller velg en annen.',
      ],
    },
    not_changed: {
      title: 'Timen ble ikke byttet',
      text: [
        'Vi fikk ikke bekreftet den nye timen i tide. Du har fortsatt timen du hadde. Prøv igjen, eller velg en annen.',
      ],
    },
    not_cancelled: {
      title: 'Timen ble ikke avlyst',
      text: ['Vi fikk ikke gjort det nå, så du har fortsatt timen. Prøv igjen om litt, eller ring oss.'],
    },
    provider_away: {
      title: 'Klinikken svarer ikke akkurat nå',
      text: [
        'Ingenting er endret, og timen er ikke tatt fra deg. Prøv den samme timen igjen om litt, eller velg en annen.',
      ],
    },
    slot_unknown: {
      title: 'Vi kjenner ikke igjen den timen',
      text: [
        'Kanskje er siden gammel, eller kanskje kom ikke hele lenken med. Velg en av timene som er ledige nå.',
      ],
    },
    started: {
      title: 'Timen har begynt',
      text: ['Den kan ikke lenger endres eller avlyses her. Ring klinikken eller oss hvis det er noe.'],
    },
    not_allowed: {
      title: 'Det går ikke nå',
      text: ['Saken har endret seg siden du åpnet siden. Gå til start for å se hvordan den står.'],
    },
    help_not_possible: {
      title: 'Vi kan ikke ta imot meldinger her',
      text: ['Ring oss eller send e-post i stedet, så hjelper vi deg.'],
    },
    too_much_help: {
      title: 'Vi har allerede meldingene dine',
      text: ['Du har bedt om hjelp flere ganger i dag, og vi tar kontakt. Haster det, kan du ringe oss.'],
    },
    too_long: {
      title: 'Teksten er for lang',
      text: ['Vi kunne ikke ta imot så mye tekst. Gå tilbake, skriv kortere og send på nytt.'],
    },
    stale_form: {
      title: 'Siden har vært åpen for lenge',
      text: ['Ingenting er endret. Gå til start og prøv en gang til.'],
    },
    unknown_case: {
      title: 'Vi finner ikke siden',
      text: [
        'Kanskje kom ikke hele lenken med. Åpne den fra meldingen du fikk, eller kopier hele lenken inn i nettleseren.',
        'Går det fortsatt ikke, kan du ringe oss.',
      ],
    },
    unknown_page: {
      title: 'Vi finner ikke siden',
      text: ['Gå til start for å komme videre.'],
    },
    temporarily_unavailable: {
      title: 'Det går ikke akkurat nå',
      text: ['Ingenting er endret. Prøv igjen om et øyeblikk.'],
    },
    unexpected: {
      title: 'Noe gikk galt hos oss',
      text: ['Vi har fått beskjed. Prøv igjen om litt. Går det fortsatt ikke, kan du ringe oss.'],
    },
    too_many: {
      title: 'For mange forsøk',
      text: [
        'Vent et par minutter, og prøv igjen. Etter flere innlogginger kan det ta et kvarter. Haster det, kan du ringe oss.',
      ],
    },

    /** The same for another name and for a case that is bound to somebody else: no stranger learns that somebody has logged in before. */
    mismatch: {
      title: 'Navnet ditt stemmer ikke med denne lenken',
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
      text: [
        'Vi fikk ikke bekreftet hvem du er. Prøv en gang til. Går det fortsatt ikke, kan du be om hjelp.',
      ],
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
  },

  /**
   * E-mails and SMS. No treatment, clinic, place or reason in any of them: only the time, the insurer and the link.
   * An SMS has several wordings, the fullest first: the first that fits into one SMS is sent, after the insurer's name
   * and before the link. Each names the time, where there is one.
   */
  messages: {
    email: {
      invitation: {
        subject: '{partner}: bestill timen din innen {deadline}',
        heading: 'Bestill timen din',
        preview: 'Du velger selv når det passer. Det tar et par minutter.',
        paragraphs: [
          '{partner} har gitt deg tilgang til å bestille en time på nett. Du velger selv når det passer.',
          'Trykk på knappen, logg inn med BankID eller en annen eID, og velg en time. Det tar et par minutter.',
          'Siste frist for å bestille er {deadlineDay}.',
        ],
        link: 'Bestill time',
      },
      reminder: {
        subject: {
          '=0': '{partner}: i dag er siste dag å bestille time',
          '=1': '{partner}: i morgen er siste dag å bestille time',
          other: '{partner}: {count} dager igjen til å bestille time',
        },
        heading: 'Husk å bestille timen din',
        preview: 'Siste frist er {deadlineDay}.',
        paragraphs: [
          'Du har ikke bestilt time ennå. Siste frist for å bestille er {deadlineDay}.',
          'Trykk på knappen, logg inn med BankID eller en annen eID, og velg en time. Det tar et par minutter.',
          'Får du det ikke til, eller finner du ingen time som passer? Si fra, så hjelper vi deg.',
        ],
        link: 'Bestill time',
      },
      receipt: {
        subject: '{partner}: timen din er bestilt',
        heading: 'Timen din er bestilt',
        preview: '{period}',
        paragraphs: [
          'Logg inn for å se hvor du skal. Der kan du også endre eller avlyse timen.',
          'Du kan legge timen i kalenderen din: den ligger ved denne e-posten.',
        ],
        link: 'Se timen',
      },
      changed: {
        subject: '{partner}: ny tid for timen din',
        heading: 'Timen din er endret',
        preview: 'Timen er nå {period}.',
        paragraphs: [
          'Det er denne tiden som gjelder nå. Logg inn for å se hvor du skal.',
          'Vedlegget retter timen i kalenderen din.',
        ],
        link: 'Se timen',
      },
      appointment_reminder: {
        subject: '{partner}: du har time i morgen',
        heading: 'Du har time i morgen',
        preview: '{period}',
        paragraphs: [
          'Logg inn for å se hvor du skal.',
          'Passer det ikke lenger? Endre eller avlys så snart du kan, så kan noen andre få timen.',
        ],
        link: 'Se timen',
      },
      earlier_time: {
        subject: '{partner}: en tidligere time er ledig',
        heading: 'En tidligere time er ledig',
        preview: 'Den er minst en uke før din.',
        paragraphs: [
          'Du ba oss si fra: det er blitt ledig en time som er minst en uke før din.',
          'Logg inn og velg «Endre timen» hvis du vil bytte. Den som bekrefter først, får den. Vil du ikke bytte, beholder du timen {period}.',
          'Du får høyst én slik melding om dagen. Du kan slå dem av på siden din.',
        ],
        link: 'Se ledige timer',
      },
      cancelled: {
        subject: '{partner}: timen din er avlyst',
        heading: 'Timen din er avlyst',
        preview: 'Du kan bestille en ny til og med {deadlineDay}.',
        paragraphs: [
          'Du har ikke lenger time {period}.',
          'Vil du ha en ny time, kan du bestille den til og med {deadlineDay}.',
        ],
        link: 'Bestill ny time',
      },
      cancelled_late: {
        subject: '{partner}: timen din er avlyst',
        heading: 'Timen din er avlyst',
        preview: 'Ta kontakt hvis du trenger en ny.',
        paragraphs: [
          'Du har ikke lenger time {period}.',
          'Fristen for å bestille er ute. Trenger du en ny time, kan du ta kontakt med oss.',
        ],
        link: 'Les mer',
      },
      choose_again: {
        subject: '{partner}: du må velge en ny time',
        heading: 'Du må velge en ny time',
        preview: 'Timen din er dessverre avlyst. Velg en ny innen {deadline}.',
        paragraphs: [
          'Timen din {period} er dessverre avlyst.',
          'Vi beklager bryet. Velg en ny time senest {deadlineDay}. Det tar et par minutter.',
        ],
        link: 'Velg ny time',
      },
      /** Its time is not known any more. */
      choose_again_untimed: {
        subject: '{partner}: du må velge en ny time',
        heading: 'Du må velge en ny time',
        preview: 'Timen din er dessverre avlyst. Velg en ny innen {deadline}.',
        paragraphs: [
          'Timen din er dessverre avlyst.',
          'Vi beklager bryet. Velg en ny time senest {deadlineDay}. Det tar et par minutter.',
        ],
        link: 'Velg ny time',
      },
      assistance_received: {
        subject: '{partner}: vi har fått meldingen din',
        heading: 'Vi har fått meldingen din',
        preview: 'Vi tar kontakt, vanligvis innen én arbeidsdag.',
        paragraphs: [
          'Takk for at du sa fra. Vi tar kontakt med deg så snart vi kan, vanligvis innen én arbeidsdag.',
          'Imens virker lenken som før. Haster det, kan du ringe oss.',
        ],
        link: 'Åpne siden din',
      },
      recalled: {
        subject: '{partner}: timen din er avlyst',
        heading: 'Timen din er avlyst',
        preview: 'Du trenger ikke å gjøre noe.',
        paragraphs: [
          'Du har ikke lenger time {period}.',
          '{partner} har trukket tilbake tilgangen til å bestille time. Du trenger ikke å gjøre noe.',
          'Lurer du på hvorfor, kan du spørre {partner}.',
        ],
        link: 'Les mer',
      },
      /** There was no appointment. */
      recalled_unbooked: {
        subject: '{partner}: du trenger ikke å bestille time',
        heading: 'Du trenger ikke å bestille time',
        preview: 'Du trenger ikke å gjøre noe.',
        paragraphs: [
          '{partner} har trukket tilbake tilgangen til å bestille time. Du trenger ikke å gjøre noe.',
          'Lurer du på hvorfor, kan du spørre {partner}.',
        ],
        link: 'Les mer',
      },
    },

    sms: {
      invitation: [
        'Du kan nå bestille time. Siste dag er {shortDeadline}:',
        'Bestill time innen {shortDeadline}:',
      ],
      reminder: [
        {
          '=0': 'Husk: i dag er siste dag å bestille time, {shortDeadline}:',
          '=1': 'Husk: i morgen er siste dag å bestille time, {shortDeadline}:',
          other: 'Husk å bestille time. Siste dag er {shortDeadline}:',
        },
        {
          '=0': 'Siste dag: {shortDeadline}:',
          '=1': 'Siste dag: {shortDeadline}:',
          other: 'Bestill time innen {shortDeadline}:',
        },
      ],
      receipt: [
        'Du har time {start}. Se, endre eller avlys:',
        'Du har time {start}:',
        'Time {start}:',
        'Time {shortStart}:',
      ],
      changed: ['Timen din er nå {start}:', 'Ny tid: {start}:', 'Ny tid {shortStart}:'],
      appointment_reminder: [
        'Husk timen din i morgen, {start}. Se, endre eller avlys:',
        'Husk timen din i morgen, {start}:',
        'Husk time {start}:',
        'Husk time {shortStart}:',
      ],
      earlier_time: [
        'En tidligere time er ledig. Vil du bytte? Den som er først, får den:',
        'En tidligere time er ledig. Vil du bytte?',
        'En tidligere time er ledig:',
      ],
      cancelled: [
        'Timen {start} er avlyst. Bestill ny:',
        'Timen {start} er avlyst:',
        'Timen {shortStart} er avlyst:',
        'Avlyst: {shortStart}:',
      ],
      cancelled_late: [
        'Timen {start} er avlyst.',
        'Timen {start} er avlyst:',
        'Timen {shortStart} er avlyst:',
        'Avlyst: {shortStart}:',
      ],
      choose_again: [
        'Timen {start} er avlyst. Velg ny innen {shortDeadline}:',
        'Timen {start} er avlyst. Velg ny:',
        'Timen {shortStart} er avlyst. Velg ny:',
        'Avlyst: {shortStart}:',
      ],
      choose_again_untimed: [
        'Timen din er avlyst. Velg ny innen {shortDeadline}:',
        'Timen er avlyst. Velg ny:',
      ],
      assistance_received: [
        'Vi har fått meldingen din, og tar kontakt så snart vi kan:',
        'Vi har fått meldingen din:',
      ],
      recalled: [
        'Timen {start} er avlyst. Du trenger ikke å gjøre noe:',
        'Timen {start} er avlyst:',
        'Timen {shortStart} er avlyst:',
        'Avlyst: {shortStart}:',
      ],
      recalled_unbooked: [
        'Du trenger ikke å bestille time lenger. Les mer:',
        'Du trenger ikke å bestille time:',
      ],
    },
    /** After the link of an SMS, before the telephone number. */
    smsHelp: 'Hjelp:',

    sentFor: 'Du får denne meldingen fordi {partner} har bedt oss om å kontakte deg om en time.',
    /** While nobody has logged in to book, a message may have come to the wrong person. */
    notForYou: 'Er meldingen ikke til deg? Åpne lenken og si fra der, så får du ikke flere.',
    neverAsked: 'Vi ber aldri om fødselsnummer, passord, koder eller betaling på e-post, SMS eller telefon.',
    /** Beside each time. */
    zone: 'norsk tid',
    callUs: 'Trenger du hjelp? Ring {phone} eller skriv til {email}.',
    /** Above a mail that has the same in this language further down. */
    alsoBelow: 'På bokmål nedenfor',
    calendar: {
      title: 'Time ({partner})',
      cancelled: 'Avlyst: time ({partner})',
      /** In place of the address, which nobody is told before the login. */
      place: 'Logg inn for å se stedet: {url}',
    },
  },
} as const;
