import type { Wording } from './wording.ts';

export const nb: Wording = {
  email: {
    invitation: ({ partner, deadline, deadlineDay }) => ({
      subject: `${partner}: bestill timen din innen ${deadline}`,
      heading: 'Bestill timen din',
      preview: 'Du velger selv når det passer. Det tar et par minutter.',
      paragraphs: [
        `${partner} har gitt deg tilgang til å bestille en time på nett. Du velger selv når det passer.`,
        'Trykk på knappen, logg inn med BankID eller en annen eID, og velg en time. Det tar et par minutter.',
        `Siste frist for å bestille er ${deadlineDay}.`,
      ],
      link: 'Bestill time',
    }),
    reminder: ({ partner, deadlineDay, daysLeft }) => ({
      subject: `${partner}: ${lastDay(daysLeft)} å bestille time`,
      heading: 'Husk å bestille timen din',
      preview: `Siste dag er ${deadlineDay}.`,
      paragraphs: [
        `Du har ikke bestilt time ennå. Siste frist for å bestille er ${deadlineDay}.`,
        'Trykk på knappen, logg inn med BankID eller en annen eID, og velg en time. Det tar et par minutter.',
        'Får du det ikke til, eller finner du ingen time som passer? Si fra, så hjelper vi deg.',
      ],
      link: 'Bestill time',
    }),
    receipt: ({ partner, period }) => ({
      subject: `${partner}: timen din er bestilt`,
      heading: 'Timen din er bestilt',
      preview: period ?? 'Logg inn for å se timen.',
      when: period,
      paragraphs: [
        'Logg inn for å se hvor du skal. Der kan du også endre eller avlyse timen.',
        ...(period === null ? [] : ['Du kan legge timen i kalenderen din: den ligger ved denne e-posten.']),
      ],
      link: 'Se timen',
    }),
    changed: ({ partner, period }) => ({
      subject: `${partner}: ny tid for timen din`,
      heading: 'Timen din er endret',
      preview: period === null ? 'Logg inn for å se timen.' : `Timen er nå ${period}.`,
      when: period,
      paragraphs: [
        period === null
          ? 'Logg inn for å se når den er, og hvor du skal.'
          : 'Det er denne tiden som gjelder nå. Logg inn for å se hvor du skal.',
        ...(period === null ? [] : ['Vedlegget retter timen i kalenderen din.']),
      ],
      link: 'Se timen',
    }),
    cancelled: ({ partner, period, deadlineDay, daysLeft }) => ({
      subject: `${partner}: timen din er avlyst`,
      heading: 'Timen din er avlyst',
      preview: daysLeft < 0 ? 'Ta kontakt om du trenger en ny.' : `Du kan bestille en ny til ${deadlineDay}.`,
      paragraphs: [
        period === null ? 'Du har ikke lenger noen time.' : `Du har ikke lenger time ${period}.`,
        daysLeft < 0
          ? 'Fristen for å bestille er ute. Trenger du en ny time, ta kontakt med oss.'
          : `Vil du ha en ny time, kan du bestille den til og med ${deadlineDay}.`,
      ],
      link: daysLeft < 0 ? 'Les mer' : 'Bestill ny time',
    }),
    choose_again: ({ partner, period, deadline, deadlineDay }) => ({
      subject: `${partner}: du må velge en ny time`,
      heading: 'Du må velge en ny time',
      preview: `Timen din er dessverre avlyst. Velg en ny innen ${deadline}.`,
      paragraphs: [
        period === null ? 'Timen din er dessverre avlyst.' : `Timen din ${period} er dessverre avlyst.`,
        `Vi beklager bryet. Velg en ny time senest ${deadlineDay}. Det tar et par minutter.`,
      ],
      link: 'Velg ny time',
    }),
    assistance_received: ({ partner }) => ({
      subject: `${partner}: vi har fått meldingen din`,
      heading: 'Vi har fått meldingen din',
      preview: 'Vi tar kontakt, vanligvis innen én arbeidsdag.',
      paragraphs: [
        'Takk for at du sa fra. Vi tar kontakt med deg så snart vi kan, vanligvis innen én arbeidsdag.',
        'Imens virker lenken som før. Haster det, kan du ringe oss.',
      ],
      link: 'Åpne siden din',
    }),
    recalled: ({ partner, period }) => ({
      subject: `${partner}: ${period === null ? 'du trenger ikke å bestille time' : 'timen din er avlyst'}`,
      heading: period === null ? 'Du trenger ikke å bestille time' : 'Timen din er avlyst',
      preview: 'Du trenger ikke å gjøre noe.',
      paragraphs: [
        ...(period === null ? [] : [`Du har ikke lenger time ${period}.`]),
        `${partner} har trukket tilbake tilgangen til å bestille time. Du trenger ikke å gjøre noe.`,
        `Lurer du på hvorfor, kan du spørre ${partner}.`,
      ],
      link: 'Les mer',
    }),
  },

  sms: {
    invitation: ({ shortDeadline }) => [
      `Du kan nå bestille time. Siste dag er ${shortDeadline}:`,
      `Bestill time innen ${shortDeadline}:`,
    ],
    reminder: ({ daysLeft, shortDeadline }) =>
      daysLeft > 1
        ? [`Husk å bestille time. Siste dag er ${shortDeadline}:`, `Bestill time innen ${shortDeadline}:`]
        : [`Husk: ${lastDay(daysLeft)} å bestille time, ${shortDeadline}:`, `Siste dag: ${shortDeadline}:`],
    receipt: ({ start, shortStart }) =>
      start === null
        ? ['Timen din er bestilt:']
        : [
            `Du har time ${start}. Se, endre eller avlys:`,
            `Du har time ${start}:`,
            `Time ${start}:`,
            `Time ${shortStart}:`,
          ],
    changed: ({ start, shortStart }) =>
      start === null
        ? ['Timen din er endret:']
        : [`Timen din er nå ${start}:`, `Ny tid: ${start}:`, `Ny tid ${shortStart}:`],
    cancelled: ({ start, shortStart, daysLeft }) => {
      const again = daysLeft < 0 ? '' : ' Bestill ny:';
      return start === null
        ? [`Timen din er avlyst.${again}`]
        : [
            `Timen ${start} er avlyst.${again}`,
            `Timen ${start} er avlyst:`,
            `Timen ${shortStart} er avlyst:`,
            `Avlyst: ${shortStart}:`,
          ];
    },
    choose_again: ({ start, shortStart, shortDeadline }) =>
      start === null
        ? [`Timen din er avlyst. Velg ny innen ${shortDeadline}:`, 'Timen er avlyst. Velg ny:']
        : [
            `Timen ${start} er avlyst. Velg ny innen ${shortDeadline}:`,
            `Timen ${start} er avlyst. Velg ny:`,
            `Timen ${shortStart} er avlyst. Velg ny:`,
            `Avlyst: ${shortStart}:`,
          ],
    assistance_received: () => [
      'Vi har fått meldingen din, og tar kontakt så snart vi kan:',
      'Vi har fått meldingen din:',
    ],
    recalled: ({ start, shortStart }) =>
      start === null
        ? ['Du trenger ikke å bestille time lenger. Les mer:', 'Du trenger ikke å bestille time:']
        : [
            `Timen ${start} er avlyst. Du trenger ikke å gjøre noe:`,
            `Timen ${start} er avlyst:`,
            `Timen ${shortStart} er avlyst:`,
            `Avlyst: ${shortStart}:`,
          ],
  },

  sentFor: (partner) => `Du får denne meldingen fordi ${partner} har bedt oss om å kontakte deg om en time.`,
  notForYou: 'Er meldingen ikke til deg? Åpne lenken og si fra der, så får du ikke flere.',
  neverAsked: 'Vi ber aldri om fødselsnummer, passord, koder eller betaling på e-post, SMS eller telefon.',
  zone: 'norsk tid',
  callUs: (phone, email) => `Trenger du hjelp? Ring ${phone} eller skriv til ${email}.`,
  smsHelp: 'Hjelp:',
  calendar: {
    title: (partner) => `Time (${partner})`,
    cancelled: (partner) => `Avlyst: time (${partner})`,
    place: (url) => `Logg inn for å se stedet: ${url}`,
  },
};

function lastDay(daysLeft: number): string {
  if (daysLeft > 1) return `${daysLeft} dager igjen til`;
  return daysLeft === 1 ? 'i morgen er siste dag' : 'i dag er siste dag';
}
