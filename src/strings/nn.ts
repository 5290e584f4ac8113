import type { Translation } from './catalogue.ts';

export const nn: Translation = {
  skip: 'Hopp til innhaldet',
  service: 'Timebestilling',
  onBehalfOf: 'for {partner}',
  languageName: 'Nynorsk',
  languages: 'Språk',
  logout: 'Logg ut',
  back: 'Tilbake',
  login: 'Logg inn',
  loginAgain: 'Logg inn på nytt',
  startAgain: 'Gå til start',
  getHelp: 'Be om hjelp',
  seeTimes: 'Sjå ledige timar',
  norwegianTime: 'Alle klokkeslett er norsk tid.',
  fault: 'Feil: {title}',
  offline: 'Du er utan nett akkurat no. Ingenting er sendt. Sida blir ståande til du er på nett igjen.',
  callUs: 'Ring oss på {phone}',

  support: {
    title: 'Treng du hjelp?',
    call: 'Ring oss på',
    write: 'eller skriv til',
    reference: 'Oppgi gjerne referansen {reference}.',
  },

  session: {
    who: 'Du er logga inn som {name}.',
    until: 'Vi loggar deg ut {time} norsk tid viss du ikkje gjer noko før det.',
    last: 'Du blir logga ut {time} norsk tid. Då kan du logge inn på nytt.',
    more: 'Gi meg meir tid',
    warning: 'Du blir snart logga ut',
    why: 'Det gjer vi for at ingen andre skal sjå timen din.',
    stay: 'Hald fram innlogga',
    close: 'Lukk',
  },

  welcome: {
    title: 'Bestill timen din',
    from: '{partner} har gitt deg tilgang til å bestille ein time. Du vel sjølv tid og stad.',
    deadline: 'Bestill innan {day}. Sjølve timen kan vere seinare.',
    loginHint: 'Du loggar inn med elektronisk ID, til dømes BankID. Alt saman tek eit minutt eller to.',
    loginToBook: 'Logg inn og vel time',
    steps: 'Slik gjer du det',
    stepList: [
      'Logg inn, så vi veit at det er deg.',
      'Vel ein time som passar.',
      'Stadfest, så er timen din.',
    ],
    closedTitle: 'Timebestilling',
    closed:
      'Har du bestilt time, finn du han her og kan endre eller avlyse han. Har du ikkje bestilt, ser du kvifor det ikkje går no.',
    loginToSee: 'Logg inn og sjå timen',
    ended: 'Du er logga ut fordi det gjekk for lang tid. Logg inn igjen for å halde fram.',
    never: 'Dette ber vi deg aldri om',
    neverList: [
      'fødselsnummer, passord eller kodar på e-post, SMS eller telefon',
      'kortnummer eller betaling',
    ],
    neverButThere:
      'Når du loggar inn, kan BankID eller ein annan eID be om fødselsnummer og kode. Då er du på sida deira, ikkje vår.',
    cannotLogIn: 'Får du ikkje logga inn?',
    cannotLogInText: 'Vi kan hjelpe deg, også utan at du loggar inn.',
    notYours: 'Er ikkje dette til deg?',
    notYoursLink: 'Sei frå at meldinga ikkje var til deg',
  },

  where: {
    title: 'Kvar vil du ha timen?',
    elsewhere: 'Oppmøte, alle stader',
    video: 'Video',
    anywhere: 'Alle stader og video',
    times: { one: '1 ledig, {day}', other: '{count} ledige, første {day}' },
    hint: 'Her er stader med ledige timar dei neste {days} dagane.',
    change: 'Byt stad',
  },

  times: {
    title: 'Vel time',
    titleChange: 'Vel ny time',
    keepsOld: 'Du beheld timen du har, {when} hos {clinic}, heilt til den nye er stadfesta.',
    keep: 'Behald timen eg har',
    deadline: 'Bestill innan {day}. Sjølve timen kan vere seinare.',

    filter: 'Filtrer timane',
    filtersOn: { one: '1 filter er på', other: '{count} filter er på' },
    provider: 'Klinikk',
    practitioner: 'Behandlar',
    all: 'Alle',
    mode: 'Oppmøte eller video',
    bothModes: 'Begge delar',
    filterShow: 'Vis timar',
    filterClear: 'Nullstill vala',
    filterShowCount: { '=0': 'Ingen ledige', one: 'Vis 1 ledig', other: 'Vis {count} ledige' },
    partOfDay: 'Tid på dagen',
    anyPartOfDay: 'Heile dagen',
    partsOfDay: { morning: 'Før kl. 12', afternoon: 'Kl. 12–17', evening: 'Etter kl. 17' },
    speaks: 'Språk behandlaren snakkar',
    gender: 'Kjønnet til behandlaren',
    genders: { female: 'Kvinne', male: 'Mann' },
    profession: 'Yrket til behandlaren',

    week: 'Veke {number}: {days}',
    found: {
      '=0': 'Ingen ledige timar',
      one: 'Éin ledig time',
      other: '{count} ledige timar, dei tidlegaste først',
    },
    first: 'Den første ledige timen er {day}.',
    allOfDay: 'Vis alle dei {count} timane {day}',
    wholeWeek: 'Vis heile veka',
    moreOfDay: 'Vis fleire timar',
    fewerOfDay: 'Vis dei førre timane',
    range: 'Time {from}–{to} av {count}',
    days: 'Dagar med ledige timar',
    onDay: { one: '1 ledig', other: '{count} ledige' },
    noneOnDays: '{days}: ingen ledige timar',
    through: '{from} til {to}',
    emptyDays: 'Det er ingen ledige timar desse dagane.',
    emptyFiltered: 'Ingen ledige timar desse dagane passar til vala dine.',
    emptyAll:
      'Vi finn ingen ledige timar dei neste {days} dagane. Be om hjelp, så finn vi ei løysing saman med deg.',
    emptyAllFiltered: 'Ingen ledige timar dei neste {days} dagane passar til vala dine.',
    goToFirst: 'Gå til første ledige time',
    goToNext: 'Gå til {day}, neste dag med ledige timar',
    unavailable: 'Vi får ikkje svar frå {names} akkurat no, så dei ledige timane der manglar i lista.',
    awaited: 'Vi ventar på svar frå {names}.',
    showAwaited: 'Vis timane derifrå òg',
    allUnavailable: 'Vi får ikkje svar frå nokon av klinikkane akkurat no. Prøv igjen om nokre minutt.',
    tryAgain: 'Prøv igjen',
    paging: 'Andre dagar',
    laterWeek: 'Neste veke',
    earlierWeek: 'Førre veke',
    laterDay: 'Neste dag',
    earlierDay: 'Førre dag',

    cancelled: {
      title: 'Timen er avlyst',
      text: 'Du kan framleis bestille ein ny time gjennom {partner}, innan {day}.',
    },
    chooseAgain: {
      title: 'Klinikken har avlyst timen din',
      text: 'Det beklagar vi. Du kan velje ein ny time gjennom {partner} her, innan {day}.',
    },
    helpIsComing: 'Vi har fått meldinga di og tek kontakt. Du kan også bestille sjølv her.',
  },

  facts: {
    when: 'Når',
    zone: 'Norsk tid',
    with: 'Klinikk',
    practitioner: 'Behandlar',
    what: 'Behandling',
    where: 'Stad',
    map: 'Sjå på kart',
    know: 'Godt å vite',
    phone: 'Telefon',
    speaks: 'Snakkar {languages}',
    payment: 'Betaling',
    paidBy: '{partner} betaler. Spør dei viss du lurer på eigendel.',
    mode: { in_person: 'Oppmøte', video: 'Video' },
  },

  confirm: {
    title: 'Stemmer dette?',
    titleChange: 'Vil du byte til denne timen?',
    after: 'Når du stadfestar, er timen din. Du kan endre eller avlyse heilt til han begynner.',
    replaces: 'Timen du har no, {when} hos {clinic}, blir avlyst når den nye er stadfesta.',
    have: 'Du har allereie ein time. Vil du byte han mot denne?',
    confirm: 'Stadfest timen',
    change: 'Byt til denne timen',
    another: 'Vel ein annan time',
  },

  taken: {
    title: 'Timen vart nettopp teken',
    lead: 'Nokon andre rakk timen rett før deg. Det du har valt elles, er ikkje borte. Desse er nærast i tid og ledige no:',
    none: 'Nokon andre rakk timen rett før deg, og det er ingen andre ledige i nærleiken av han.',
    all: 'Sjå alle ledige timar',
  },

  pending: {
    confirm: {
      title: 'Vi stadfestar timen',
      lead: 'Det tek litt lengre tid enn vanleg. Du treng ikkje gjere noko. Denne sida oppdaterer seg sjølv.',
      message: 'Vi sender deg ei melding når timen er stadfesta.',
    },
    cancel: {
      title: 'Vi avlyser timen',
      lead: 'Det tek litt lengre tid enn vanleg. Du treng ikkje gjere noko. Denne sida oppdaterer seg sjølv.',
      message: 'Vi sender deg ei melding når timen er avlyst.',
    },
    leave: 'Du kan også lukke sida, og opne lenkja igjen seinare.',
    refresh: 'Oppdater no',
  },

  receipt: {
    title: 'Timen din er bestilt',
    titleStarted: 'Timen din',
    confirmed: 'Du får ei stadfesting på e-post eller SMS.',
    transferred: 'Klinikken har registrert timen din.',
    beingTransferred: 'Timen er din. Vi fører han inn i kalenderen til klinikken no.',
    calendar: 'Legg timen i kalenderen din',
    change: 'Endre timen',
    cancel: 'Avlys timen',
    until: 'Du kan endre eller avlyse timen heilt til han begynner.',
    started: 'Timen har begynt, så han kan ikkje endrast eller avlysast her.',
    silent:
      'Vi sender ingen meldingar om timen, for nokon har sagt frå at meldingane ikkje var til dei. Skriv opp tida, og be om hjelp viss du vil ha meldingar.',
    earlier: {
      title: 'Vil du ha ein tidlegare time?',
      text: 'Vi kan seie frå når det blir ledig ein time som er minst ei veke før din, i same by eller på video som no. Den som stadfestar først, får han. Du har timen din til du byter.',
      ask: 'Sei frå om tidlegare timar',
      on: 'Vi seier frå når det blir ledig ein time som er minst ei veke før din. Du får høgst éi slik melding om dagen, og inga om natta.',
      stop: 'Ikkje sei frå lenger',
    },
  },

  cancel: {
    title: 'Vil du avlyse timen?',
    warning: 'Timen blir ledig for andre. Vil du berre ha ei anna tid, kan du endre han i staden.',
    cancel: 'Ja, avlys timen',
    change: 'Endre timen i staden',
    keep: 'Nei, behald timen',
  },

  help: {
    title: 'Be om hjelp',
    lead: 'Skriv kva du treng hjelp til, så tek vi kontakt.',
    noLogin: 'Du treng ikkje logge inn.',
    who: 'Vi som driv timebestillinga, les meldinga. {partner} får ikkje sjå ho.',
    message: 'Kva treng du hjelp til? (valfritt)',
    hint: 'Ikkje skriv om helsa di, og ikkje skriv fødselsnummer. Du kan skrive inntil {letters} teikn.',
    contact: 'Korleis vil du at vi tek kontakt? (valfritt)',
    phone: 'Ring meg',
    email: 'Send meg e-post',
    either: 'Det er det same',
    number: 'Telefonnummer (viss vi skal ringe)',
    numberHint: 'La feltet stå tomt viss vi kan bruke nummeret du fekk meldinga på.',
    bestTime: 'Når passar det best at vi ringer?',
    anyTime: 'Når som helst',
    morning: 'Før klokka 12',
    afternoon: 'Etter klokka 12',
    interpreter: 'Treng du tolk? (valfritt)',
    interpreterHint: 'Skriv kva språk.',
    send: 'Send',
    problem: 'Noko må rettast før vi kan ta imot meldinga',
    faults: {
      message_too_long: 'Meldinga er {over} teikn for lang. Kort ho ned til høgst {letters} teikn.',
      contact_unknown: 'Vel korleis vi skal ta kontakt.',
      phone_missing: 'Skriv telefonnummeret vi skal ringe.',
      phone_wrong: 'Telefonnummeret ser ikkje rett ut. Skriv åtte siffer, eller eit nummer med landkode.',
      interpreter_wrong: 'Skriv berre språket du treng tolk i.',
      name_wrong: 'Skriv namnet ditt.',
      relation_missing: 'Vel kven du er for den timen gjeld.',
    },
    another: {
      title: 'Bestiller du for nokon andre?',
      link: 'Bestill for eit barn eller for nokon du hjelper',
      text: [
        'Timen kan berre bestillast med eID-en til den timen gjeld. Ikkje logg inn med din eigen, for då kjem du ikkje vidare.',
        'Er du forelder eller verje, eller hjelper du nokon som ikkje kan logge inn? Skriv til oss her. Vi ringer deg, spør kven du er, og bestiller timen saman med deg.',
      ],
      name: 'Namnet ditt',
      relation: 'Kven er du for den timen gjeld?',
      relations: { parent: 'Forelder', guardian: 'Verje', helper: 'Eg hjelper personen' },
      phone: 'Telefonnummeret ditt',
    },
  },

  helpReceived: {
    title: 'Vi har fått meldinga di',
    next: 'Dette skjer no',
    lead: 'Vi les meldinga og tek kontakt med deg, som regel innan éin arbeidsdag.',
    receipt: 'Vi sender ei stadfesting same veg som dei andre meldingane om timen.',
    canBook: 'Du kan framleis bestille time sjølv medan du ventar.',
    book: 'Bestill time',
  },

  notYours: {
    title: 'Var ikkje meldinga til deg?',
    lead: 'Då har {partner} truleg fått feil e-postadresse eller telefonnummer. Sei frå, så sluttar vi å sende meldingar dit om denne timen.',
    tells: 'Vi seier frå til {partner} at adressa er feil. Vi spør ikkje kven du er.',
    button: 'Meldinga var ikkje til meg',
    mine: 'Meldinga er til meg',
    doneTitle: 'Takk for at du sa frå',
    done: 'No sluttar vi å sende meldingar om dette, med mindre rett person allereie har logga inn. Du kan slette den du fekk.',
    later:
      'Lenkja verkar framleis for den det gjeld, men det kjem ingen meldingar, heller ikkje om nokon bestiller time med ho seinare.',
    mistake: 'Trykte du feil, eller får du likevel fleire? Be om hjelp, så ordnar vi det.',
  },

  home: {
    title: 'Har du fått ei melding om å bestille time?',
    lead: 'Vi sender e-post og SMS for forsikringsselskap til dei som kan bestille ein time på nett.',
    genuine: 'Slik kjenner du att ei ekte melding',
    signs: [
      'Lenkja byrjar med {url}',
      'Meldinga seier kva forsikringsselskap ho gjeld.',
      'Telefonnummeret i meldinga er {phone}.',
      'Vi ber aldri om fødselsnummer, passord, kodar eller betaling på e-post, SMS eller telefon.',
    ],
    unsure:
      'Er du i tvil? Ikkje trykk på lenkja. Ring oss, eller ring forsikringsselskapet ditt på nummeret du finn på nettsida deira.',
    booking: 'Vil du bestille, endre eller avlyse?',
    open: 'Opne lenkja i meldinga du fekk. Finn du ho ikkje, kan du ringe oss.',
  },

  access: {
    title: 'Kven har sett saka di',
    lead: 'Her står det kven som har sett saka di hos oss, og når dei gjorde det sist.',
    nobody: 'Ingen andre enn du har opna saka enno.',
    kinds: {
      partner_opened: {
        one: '{partner} opna saka di 1 gong, {day}.',
        other: '{partner} opna saka di {count} gonger, sist {day}.',
      },
      partner_listed: {
        one: '{partner} henta ei liste der saka di stod, {day}.',
        other: '{partner} henta lister der saka di stod, {count} gonger, sist {day}.',
      },
      operator_revealed: {
        one: 'Ein av oss såg namnet ditt og det andre som står i saka, {day}.',
        other: 'Vi såg namnet ditt og det andre som står i saka, {count} gonger, sist {day}.',
      },
      operator_worked: {
        one: 'Ein av oss såg korleis det går med saka di, men ikkje namnet ditt, {day}.',
        other: 'Vi såg korleis det går med saka di, men ikkje namnet ditt, {count} gonger, sist {day}.',
      },
      messages: {
        one: 'Vi sende deg 1 melding, {day}.',
        other: 'Vi sende deg {count} meldingar, sist {day}.',
      },
      clinic: {
        one: 'Klinikken fekk det han treng for timen din, {day}.',
        other: 'Klinikken fekk det han treng for timane dine {count} gonger, sist {day}.',
      },
      turned_away: {
        one: 'Nokon andre logga inn med lenkja di, {day}. Dei fekk ikkje sjå noko.',
        other: 'Nokon andre logga inn med lenkja di {count} gonger, sist {day}. Dei fekk ikkje sjå noko.',
      },
      link_opened: {
        one: 'Lenkja di vart opna utan innlogging, {day}. Då blir ingenting om deg vist.',
        other:
          'Lenkja di vart opna utan innlogging {count} gonger, sist {day}. Då blir ingenting om deg vist.',
      },
      yours: {
        one: 'Du såg på sidene sjølv, {day}.',
        other: 'Du såg på sidene sjølv, {count} gonger, sist {day}.',
      },
    },
    clinic: 'Når du bestiller ein time, får klinikken det han treng for timen.',
    wrong: 'Er det noko her du ikkje kjenner att? Ta kontakt med oss.',
    back: 'Til saka di',
  },

  about: {
    title: 'Om timebestillinga',
    runBy: 'Timebestillinga blir driven av {name}.',
    insurers:
      'Forsikringsselskapet ditt har gitt deg tilgang til å bestille ein time på nett. Vi viser deg dei ledige timane, og syter for at timen du vel, kjem fram til klinikken. Du loggar inn med BankID eller ein annan eID, så ingen andre bestiller for deg.',
    responsible: 'Kven vi er',
    name: 'Namn',
    organisationNumber: 'Organisasjonsnummer',
    address: 'Adresse',
  },

  privacy: {
    title: 'Personvern',
    lead: 'Her står det kva {name} veit om deg når du bestiller time, kven som får sjå det, og kva du kan be oss om.',
    kept: 'Dette veit vi',
    keptList: [
      'Det forsikringsselskapet har gitt oss: namnet ditt, e-postadressa og telefonnummeret, kva timen gjeld, når skaden skjedde, og det dei har skrive om han.',
      'Det eID-en seier når du loggar inn: namnet ditt, og fødselsdatoen dersom eID-en oppgir han. Vi tek ikkje vare på fødselsnummeret ditt.',
      'Timane du bestiller, endrar og avlyser, og meldingane vi har sendt deg.',
      'Det du skriv til oss når du ber om hjelp.',
    ],
    seen: 'Desse får sjå det',
    seenList: [
      'Klinikken du bestiller hos, får det han treng for timen: namnet og fødselsdatoen din, korleis dei når deg, kva skaden er, og kva forsikringsselskap det gjeld.',
      'Forsikringsselskapet ser om du har bestilt, hos kven, kvar og når. Det ser ikkje kva du skriv til oss.',
      'Dei tilsette hos oss ser opplysningane når dei må for å hjelpe deg. Kvar gong blir skriven opp.',
      'Dei som sender e-post og SMS for oss, får adressa eller nummeret ditt og det som står i meldinga.',
    ],
    seenBy: 'Kven som har sett saka di, og når, kan du sjølv sjå når du har logga inn.',
    cookies: 'Informasjonskapslar',
    cookieList: [
      'Vi bruker berre dei som trengst for at sidene skal verke: at du er logga inn, kva språk du les, kvar du vil ha timen, og at eit skjema kom frå nettlesaren din.',
      'Ingen av dei følgjer deg til andre nettstader.',
    ],
    long: 'Så lenge er saka open',
    longText: {
      one: 'Vi avsluttar saka dagen etter timen, eller etter at fristen for å bestille gjekk ut. Du kan når som helst be oss om å slette.',
      other:
        'Vi avsluttar saka {count} dagar etter timen, eller etter at fristen for å bestille gjekk ut. Du kan når som helst be oss om å slette.',
    },
    erased: {
      one: 'Éin månad etter at saka er avslutta, slettar vi det vi veit om deg, om ikkje selskapet og vi har avtalt ei anna tid.',
      other:
        '{count} månader etter at saka er avslutta, slettar vi det vi veit om deg, om ikkje selskapet og vi har avtalt ei anna tid.',
    },
    rights: 'Sjå, rette eller slette',
    rightsText: 'Du kan be om å få sjå det vi veit om deg, og om å få det retta eller sletta. Skriv til',
    complain: 'Er du ikkje fornøgd med svaret, kan du klage til Datatilsynet.',
  },

  status: {
    expired: {
      title: 'Fristen for å bestille er ute',
      text: [
        'Du kan ikkje bestille time her lenger. Be om hjelp viss du framleis treng timen, så ser vi kva vi kan gjere.',
      ],
    },
    recalled: {
      title: '{partner} har trekt saka tilbake',
      text: [
        'Du treng ikkje bestille time. Hadde du ein time, er han avlyst.',
        'Kom dette overraskande? Kontakt {partner}, eller ring oss.',
      ],
    },
    archived: {
      title: 'Saka er avslutta',
      text: ['Du treng ikkje gjere noko meir her. Har du spørsmål, kan du ringe oss.'],
    },
    transfer_refused: {
      title: 'Klinikken fekk ikkje registrert timen',
      text: [
        'Timen du valde, er dessverre ikkje stadfesta. Det er ikkje din feil, og vi ordnar det med klinikken.',
        'Du høyrer frå oss. Be om hjelp eller ring viss det hastar.',
      ],
    },
    error: {
      title: 'Noko gjekk gale hos oss',
      text: [
        'Vi er i gang med å rette det. Du kan ikkje bestille her no. Be om hjelp eller ring viss det hastar.',
      ],
    },
    not_booked: {
      title: 'Timen vart ikkje bestilt',
      text: [
        'Vi fekk ikkje stadfesta timen i tide, så han er ikkje din. Han kan framleis vere ledig. Prøv igjen, eller vel ein annan.',
      ],
    },
    not_changed: {
      title: 'Timen vart ikkje bytt',
      text: [
        'Vi fekk ikkje stadfesta den nye timen i tide. Du har framleis timen du hadde. Prøv igjen, eller vel ein annan.',
      ],
    },
    not_cancelled: {
      title: 'Timen vart ikkje avlyst',
      text: ['Vi fekk ikkje gjort det no, så du har framleis timen. Prøv igjen om litt, eller ring oss.'],
    },
    provider_away: {
      title: 'Klinikken svarer ikkje akkurat no',
      text: [
        'Ingenting er endra, og timen er ikkje teken frå deg. Prøv den same timen igjen om litt, eller vel ein annan.',
      ],
    },
    slot_unknown: {
      title: 'Vi kjenner ikkje igjen den timen',
      text: [
        'Kanskje er sida gammal, eller kanskje kom ikkje heile lenkja med. Vel ein av timane som er ledige no.',
      ],
    },
    started: {
      title: 'Timen har begynt',
      text: ['Han kan ikkje lenger endrast eller avlysast her. Ring klinikken eller oss viss det er noko.'],
    },
    not_allowed: {
      title: 'Det går ikkje no',
      text: ['Saka har endra seg sidan du opna sida. Gå til start for å sjå korleis ho står.'],
    },
    help_not_possible: {
      title: 'Vi kan ikkje ta imot meldingar her',
      text: ['Ring oss eller send e-post i staden, så hjelper vi deg.'],
    },
    too_much_help: {
      title: 'Vi har allereie meldingane dine',
      text: ['Du har bedt om hjelp fleire gonger i dag, og vi tek kontakt. Hastar det, kan du ringe oss.'],
    },
    too_long: {
      title: 'Teksten er for lang',
      text: ['Vi kunne ikkje ta imot så mykje tekst. Gå tilbake, skriv kortare og send på nytt.'],
    },
    stale_form: {
      title: 'Sida har vore open for lenge',
      text: ['Ingenting er endra. Gå til start og prøv ein gong til.'],
    },
    unknown_case: {
      title: 'Vi finn ikkje sida',
      text: [
        'Kanskje kom ikkje heile lenkja med. Opne ho frå meldinga du fekk, eller kopier heile lenkja inn i nettlesaren.',
        'Går det framleis ikkje, kan du ringe oss.',
      ],
    },
    unknown_page: {
      title: 'Vi finn ikkje sida',
      text: ['Gå til start for å kome vidare.'],
    },
    temporarily_unavailable: {
      title: 'Det går ikkje akkurat no',
      text: ['Ingenting er endra. Prøv igjen om ein augneblink.'],
    },
    unexpected: {
      title: 'Noko gjekk gale hos oss',
      text: ['Vi har fått beskjed. Prøv igjen om litt. Går det framleis ikkje, kan du ringe oss.'],
    },
    too_many: {
      title: 'For mange forsøk',
      text: [
        'Vent eit par minutt, og prøv igjen. Etter fleire innloggingar kan det ta eit kvarter. Hastar det, kan du ringe oss.',
      ],
    },

    mismatch: {
      title: 'Namnet ditt stemmer ikkje med denne lenkja',
      text: [
        'Du er logga inn, men vi kan ikkje vise timen for deg. Lenkja kan vere til nokon andre, eller namnet kan vere skrive feil hos forsikringsselskapet.',
        'Er lenkja til deg? Be om hjelp, så rettar vi det. Har du logga inn her før med ein annan eID, så prøv den.',
        'Er lenkja til nokon andre, må dei logge inn sjølve.',
      ],
    },
    yours: {
      title: 'Denne timen er din',
      text: [
        'Du er logga inn som den meldingane er til, så vi melder ikkje frå om at adressa er feil.',
        'Kjem dei til feil e-postadresse eller telefonnummer, eller vil du ikkje ha dei? Be om hjelp, så ordnar vi det.',
      ],
    },
    login_cancelled: { title: 'Innlogginga vart avbroten', text: ['Du kan prøve igjen når du vil.'] },
    login_expired: { title: 'Innlogginga tok for lang tid', text: ['Det går bra. Logg inn ein gong til.'] },
    login_failed: {
      title: 'Innlogginga verka ikkje',
      text: [
        'Vi fekk ikkje stadfesta kven du er. Prøv ein gong til. Går det framleis ikkje, kan du be om hjelp.',
      ],
    },
    login_elsewhere: {
      title: 'Logg inn ein gong til her',
      text: [
        'Du begynte innlogginga i ein annan nettlesar, eller nettlesaren har gløymt ho. Det kan skje når telefonen byter mellom appar.',
        'Ingenting er mista. Logg inn her, så går du vidare i denne nettlesaren.',
      ],
    },
    login_lost: {
      title: 'Opne lenkja ein gong til',
      text: [
        'Vi ser ikkje kva time innlogginga gjaldt. Opne lenkja frå meldinga du fekk, og logg inn derfrå.',
        'Går det framleis ikkje, så ta kontakt med oss.',
      ],
    },
    login_no_name: {
      title: 'Vi fekk ikkje namnet ditt',
      text: ['Innlogginga gav oss ikkje namnet vi treng. Prøv ein annan eID, eller be om hjelp.'],
    },
    login_level: {
      title: 'Du må bruke ei tryggare innlogging',
      text: [
        'For å vise timen må vi vite sikkert at det er deg. Logg inn ein gong til, og vel ein eID på høgare nivå, til dømes BankID med kodebrikke eller med app og passord.',
        'Har du ikkje det, kan du be om hjelp.',
      ],
    },
    eid_unavailable: {
      title: 'Innlogginga er nede akkurat no',
      text: ['Vi får ikkje kontakt med eID-tenesta. Prøv igjen om nokre minutt.'],
    },
    session_ended: {
      title: 'Du er logga ut',
      text: ['Av omsyn til tryggleiken blir du logga ut etter ei stund. Logg inn for å halde fram.'],
    },
    logged_out: { title: 'Du er logga ut', text: ['Du kan lukke sida.'] },
  },

  messages: {
    email: {
      invitation: {
        subject: '{partner}: bestill timen din innan {deadline}',
        heading: 'Bestill timen din',
        preview: 'Du vel sjølv når det passar. Det tek eit par minutt.',
        paragraphs: [
          '{partner} har gitt deg tilgang til å bestille ein time på nett. Du vel sjølv når det passar.',
          'Trykk på knappen, logg inn med BankID eller ein annan eID, og vel ein time. Det tek eit par minutt.',
          'Siste frist for å bestille er {deadlineDay}.',
        ],
        link: 'Bestill time',
      },
      reminder: {
        subject: {
          '=0': '{partner}: i dag er siste dag å bestille time',
          '=1': '{partner}: i morgon er siste dag å bestille time',
          other: '{partner}: {count} dagar igjen til å bestille time',
        },
        heading: 'Hugs å bestille timen din',
        preview: 'Siste frist er {deadlineDay}.',
        paragraphs: [
          'Du har ikkje bestilt time enno. Siste frist for å bestille er {deadlineDay}.',
          'Trykk på knappen, logg inn med BankID eller ein annan eID, og vel ein time. Det tek eit par minutt.',
          'Får du det ikkje til, eller finn du ingen time som passar? Sei frå, så hjelper vi deg.',
        ],
        link: 'Bestill time',
      },
      receipt: {
        subject: '{partner}: timen din er bestilt',
        heading: 'Timen din er bestilt',
        preview: '{period}',
        paragraphs: [
          'Logg inn for å sjå kvar du skal. Der kan du også endre eller avlyse timen.',
          'Du kan leggje timen i kalenderen din: han ligg ved denne e-posten.',
        ],
        link: 'Sjå timen',
      },
      changed: {
        subject: '{partner}: ny tid for timen din',
        heading: 'Timen din er endra',
        preview: 'Timen er no {period}.',
        paragraphs: [
          'Det er denne tida som gjeld no. Logg inn for å sjå kvar du skal.',
          'Vedlegget rettar timen i kalenderen din.',
        ],
        link: 'Sjå timen',
      },
      appointment_reminder: {
        subject: '{partner}: du har time i morgon',
        heading: 'Du har time i morgon',
        preview: '{period}',
        paragraphs: [
          'Logg inn for å sjå kvar du skal.',
          'Passar det ikkje lenger? Endre eller avlys så snart du kan, så kan nokon andre få timen.',
        ],
        link: 'Sjå timen',
      },
      earlier_time: {
        subject: '{partner}: ein tidlegare time er ledig',
        heading: 'Ein tidlegare time er ledig',
        preview: 'Han er minst ei veke før din.',
        paragraphs: [
          'Du bad oss seie frå: det er blitt ledig ein time som er minst ei veke før din.',
          'Logg inn og vel «Endre timen» om du vil byte. Den som stadfestar først, får han. Vil du ikkje byte, har du framleis timen {period}.',
          'Du får høgst éi slik melding om dagen. Du kan slå dei av på sida di.',
        ],
        link: 'Sjå ledige timar',
      },
      cancelled: {
        subject: '{partner}: timen din er avlyst',
        heading: 'Timen din er avlyst',
        preview: 'Du kan bestille ein ny til og med {deadlineDay}.',
        paragraphs: [
          'Du har ikkje lenger time {period}.',
          'Vil du ha ein ny time, kan du bestille han til og med {deadlineDay}.',
        ],
        link: 'Bestill ny time',
      },
      cancelled_late: {
        subject: '{partner}: timen din er avlyst',
        heading: 'Timen din er avlyst',
        preview: 'Ta kontakt viss du treng ein ny.',
        paragraphs: [
          'Du har ikkje lenger time {period}.',
          'Fristen for å bestille er ute. Treng du ein ny time, kan du ta kontakt med oss.',
        ],
        link: 'Les meir',
      },
      choose_again: {
        subject: '{partner}: du må velje ein ny time',
        heading: 'Du må velje ein ny time',
        preview: 'Timen din er dessverre avlyst. Vel ein ny innan {deadline}.',
        paragraphs: [
          'Timen din {period} er dessverre avlyst.',
          'Vi beklagar bryet. Vel ein ny time seinast {deadlineDay}. Det tek eit par minutt.',
        ],
        link: 'Vel ny time',
      },
      choose_again_untimed: {
        subject: '{partner}: du må velje ein ny time',
        heading: 'Du må velje ein ny time',
        preview: 'Timen din er dessverre avlyst. Vel ein ny innan {deadline}.',
        paragraphs: [
          'Timen din er dessverre avlyst.',
          'Vi beklagar bryet. Vel ein ny time seinast {deadlineDay}. Det tek eit par minutt.',
        ],
        link: 'Vel ny time',
      },
      assistance_received: {
        subject: '{partner}: vi har fått meldinga di',
        heading: 'Vi har fått meldinga di',
        preview: 'Vi tek kontakt, vanlegvis innan éin arbeidsdag.',
        paragraphs: [
          'Takk for at du sa frå. Vi tek kontakt med deg så snart vi kan, vanlegvis innan éin arbeidsdag.',
          'I mellomtida verkar lenkja som før. Hastar det, kan du ringe oss.',
        ],
        link: 'Opne sida di',
      },
      recalled: {
        subject: '{partner}: timen din er avlyst',
        heading: 'Timen din er avlyst',
        preview: 'Du treng ikkje gjere noko.',
        paragraphs: [
          'Du har ikkje lenger time {period}.',
          '{partner} har trekt tilbake tilgangen til å bestille time. Du treng ikkje gjere noko.',
          'Lurer du på kvifor, kan du spørje {partner}.',
        ],
        link: 'Les meir',
      },
      recalled_unbooked: {
        subject: '{partner}: du treng ikkje bestille time',
        heading: 'Du treng ikkje bestille time',
        preview: 'Du treng ikkje gjere noko.',
        paragraphs: [
          '{partner} har trekt tilbake tilgangen til å bestille time. Du treng ikkje gjere noko.',
          'Lurer du på kvifor, kan du spørje {partner}.',
        ],
        link: 'Les meir',
      },
    },

    sms: {
      invitation: [
        'Du kan no bestille time. Siste dag er {shortDeadline}:',
        'Bestill time innan {shortDeadline}:',
      ],
      reminder: [
        {
          '=0': 'Hugs: i dag er siste dag å bestille time, {shortDeadline}:',
          '=1': 'Hugs: i morgon er siste dag å bestille time, {shortDeadline}:',
          other: 'Hugs å bestille time. Siste dag er {shortDeadline}:',
        },
        {
          '=0': 'Siste dag: {shortDeadline}:',
          '=1': 'Siste dag: {shortDeadline}:',
          other: 'Bestill time innan {shortDeadline}:',
        },
      ],
      receipt: [
        'Du har time {start}. Sjå, endre eller avlys:',
        'Du har time {start}:',
        'Time {start}:',
        'Time {shortStart}:',
      ],
      changed: ['Timen din er no {start}:', 'Ny tid: {start}:', 'Ny tid {shortStart}:'],
      appointment_reminder: [
        'Hugs timen din i morgon, {start}. Sjå, endre eller avlys:',
        'Hugs timen din i morgon, {start}:',
        'Hugs time {start}:',
        'Hugs time {shortStart}:',
      ],
      earlier_time: [
        'Ein tidlegare time er ledig. Vil du byte? Den som er først, får han:',
        'Ein tidlegare time er ledig. Vil du byte?',
        'Ein tidlegare time er ledig:',
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
        'Timen {start} er avlyst. Vel ny innan {shortDeadline}:',
        'Timen {start} er avlyst. Vel ny:',
        'Timen {shortStart} er avlyst. Vel ny:',
        'Avlyst: {shortStart}:',
      ],
      choose_again_untimed: [
        'Timen din er avlyst. Vel ny innan {shortDeadline}:',
        'Timen er avlyst. Vel ny:',
      ],
      assistance_received: [
        'Vi har fått meldinga di, og tek kontakt så snart vi kan:',
        'Vi har fått meldinga di:',
      ],
      recalled: [
        'Timen {start} er avlyst. Du treng ikkje gjere noko:',
        'Timen {start} er avlyst:',
        'Timen {shortStart} er avlyst:',
        'Avlyst: {shortStart}:',
      ],
      recalled_unbooked: ['Du treng ikkje bestille time lenger. Les meir:', 'Du treng ikkje bestille time:'],
    },
    smsHelp: 'Hjelp:',

    sentFor: 'Du får denne meldinga fordi {partner} har bedt oss om å kontakte deg om ein time.',
    notForYou: 'Er meldinga ikkje til deg? Opne lenkja og sei frå der, så får du ikkje fleire.',
    neverAsked: 'Vi ber aldri om fødselsnummer, passord, kodar eller betaling på e-post, SMS eller telefon.',
    zone: 'norsk tid',
    callUs: 'Treng du hjelp? Ring {phone} eller skriv til {email}.',
    alsoBelow: 'På nynorsk nedanfor',
    calendar: {
      title: 'Time ({partner})',
      cancelled: 'Avlyst: time ({partner})',
      place: 'Logg inn for å sjå staden: {url}',
    },
  },
};
