import type { Wording } from './wording.ts';

export const nb: Wording = {
  email: {
    invitation: ({ partner, deadline }) => ({
      subject: `${partner}: bestill timen din innen ${deadline}`,
      paragraphs: [
        `${partner} har bedt oss om å la deg bestille en time. Du velger selv tid og sted.`,
        `Siste dag å bestille er ${deadline}. Du logger inn med elektronisk ID, for eksempel BankID.`,
      ],
      link: 'Bestill time',
    }),
    receipt: ({ partner, period }) => ({
      subject: `${partner}: timen din er bestilt`,
      paragraphs: [
        period === null ? 'Timen din er bestilt.' : `Timen din er bestilt: ${period}.`,
        'Logg inn for å se hvor du skal, eller for å endre eller avlyse timen.',
      ],
      link: 'Se timen',
    }),
    changed: ({ partner, period }) => ({
      subject: `${partner}: timen din er endret`,
      paragraphs: [
        period === null ? 'Timen din er endret.' : `Timen din er endret. Den er nå ${period}.`,
        'Tiden du hadde før, gjelder ikke lenger. Logg inn for å se hvor du skal.',
      ],
      link: 'Se timen',
    }),
    cancelled: ({ partner, period, deadline }) => ({
      subject: `${partner}: timen din er avlyst`,
      paragraphs: [
        period === null ? 'Timen din er avlyst.' : `Timen din ${period} er avlyst.`,
        `Siste dag å bestille en ny time er ${deadline}.`,
      ],
      link: 'Bestill ny time',
    }),
    choose_again: ({ partner, period, deadline }) => ({
      subject: `${partner}: du må velge en ny time`,
      paragraphs: [
        period === null
          ? 'Timen du valgte, er dessverre ikke ledig lenger.'
          : `Timen din ${period} utgår dessverre.`,
        `Vi beklager. Velg en ny time senest ${deadline}.`,
      ],
      link: 'Velg ny time',
    }),
    assistance_received: ({ partner }) => ({
      subject: `${partner}: vi har fått meldingen din`,
      paragraphs: [
        'Vi har fått meldingen din, og vi tar kontakt med deg.',
        'Du kan fortsatt bestille time selv så lenge fristen ikke er ute.',
      ],
      link: 'Åpne saken',
    }),
    recalled: ({ partner, period }) => ({
      subject: `${partner}: du trenger ikke lenger bestille time`,
      paragraphs: [
        `${partner} har trukket tilbake bestillingen. Du trenger ikke gjøre noe.`,
        ...(period === null ? [] : [`Timen din ${period} er avlyst.`]),
      ],
      link: 'Les mer',
    }),
  },

  sms: {
    invitation: ({ shortDeadline }) => [`Bestill time innen ${shortDeadline}:`],
    receipt: ({ start }) =>
      start === null
        ? ['Timen er bestilt:']
        : [`Du har time ${start}. Endre eller avlys:`, `Du har time ${start}:`],
    changed: ({ start }) =>
      start === null ? ['Timen er endret:'] : [`Timen er endret til ${start}:`, `Ny tid ${start}:`],
    cancelled: ({ start }) =>
      start === null
        ? ['Timen er avlyst. Ny time:']
        : [`Timen ${start} er avlyst. Bestill ny:`, `Timen ${start} er avlyst:`],
    choose_again: ({ start, shortDeadline }) =>
      start === null
        ? [`Timen utgår. Velg ny innen ${shortDeadline}:`]
        : [`Timen ${start} utgår. Velg ny innen ${shortDeadline}:`, `Timen ${start} utgår. Velg ny:`],
    assistance_received: () => ['Vi har fått meldingen din og tar kontakt.', 'Meldingen er mottatt.'],
    recalled: ({ start }) =>
      start === null
        ? ['Du trenger ikke lenger bestille time:']
        : [`Timen ${start} er avlyst. Du skal ikke bestille ny:`, `Timen ${start} er avlyst:`],
  },

  greeting: 'Hei!',
  sentFor: (partner) => `Du får denne meldingen fordi ${partner} har gitt deg tilgang til å bestille time.`,
  neverAsked: 'Vi ber aldri om fødselsnummer, passord, koder eller betaling på e-post, SMS eller telefon.',
  zone: 'Klokkeslett er norsk tid.',
  otherLanguage: 'In English: follow the link and choose English.',
  callUs: (phone, email) => `Trenger du hjelp? Ring ${phone} eller skriv til ${email}.`,
  smsHelp: 'Hjelp:',
  calendarEntry: (partner) => `Time (${partner})`,
};
