import { describe, expect, it } from '@jest/globals';
import type { Language } from '../../src/calendar/format.ts';
import { ATTENTION_KINDS } from '../../src/domain/attention.ts';
import type { MessageKind } from '../../src/domain/events.ts';
import { instant } from '../../src/domain/instant.ts';
import { composeAlert } from '../../src/messaging/operator-alert.ts';
import { composeCalendarEntry } from '../../src/messaging/texts/calendar-entry.ts';
import { composeSms } from '../../src/messaging/texts/sms.ts';
import { alertOf, EACH, partsOf, situationsOf, USUAL } from './messages.ts';

/**
 * Words that tell, or let guess, that somebody is hurt or ill and whom they see for it (contract §7), as they begin or
 * as a part. "Time", "avtale", "appointment" may stand: an appointment may be with a bank.
 */
const REVEALING = [
  // the treatment
  /behandl|treatment|terap|therap|rehab|opptren|massasj|massage|naprapat|osteopat|akupunkt|acupunct/,
  /fysio|physio|kiropr|chiropr|psyk|psych|ergo|logoped|manuell|røntgen|x-ray|\bmr\b|\bmri\b|operasjon|surg/,
  // who gives it, and where
  /lege|doctor|sykeplei|nurse|spesialist|specialist|klinikk|clinic|sykehus|hospital|helse|health|medisin|medic/,
  // why
  /skade|injur|ulykke|accident|pasient|patient|diagnos|smerte|\bpain|sykdom|illness|\bsyk\b|\bsick\b|symptom/,
  /henvis|referr|nakke|neck|rygg|\bback pain|skulder|shoulder|kne\b|knee|angst|anxiety|depres|søvn|sleep/,
];

/** A case as it may be: nothing of it can be in a message, for none is told of it; if that changes, this fails. */
const SAMPLE = [
  ...[
    'Kari',
    'Nordmann',
    'Ola Hansen',
    'Nordlys',
    'Storgata 1',
    'Fall on ice',
    'Fall på isen',
    'video',
    'oppmøte',
  ],
  ...['psychology', 'physiotherapy', 'psykologi', 'fysioterapi', 'CLAIM-2026', 'POL-1', 'REF-1'],
];

/** Without the link, whose path is the case's id and nothing else. */
const withoutLink = (text: string): string => text.replaceAll(USUAL.bookingUrl, '');

function expectNothing(text: string): void {
  for (const pattern of REVEALING) expect(withoutLink(text).toLowerCase()).not.toMatch(pattern);
  for (const word of SAMPLE) expect(withoutLink(text).toLowerCase()).not.toContain(word.toLowerCase());
}

const entryOf = (kind: MessageKind, language: Language) =>
  composeCalendarEntry(
    kind,
    USUAL,
    {
      uid: '6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d',
      sequence: 2,
      organizer: 'post@example.no',
      attendee: 'k@example.no',
      at: instant('2026-09-01T08:00:00Z'),
    },
    language,
  )?.content.replaceAll(/\r\n[ \t]/g, '') ?? '';

describe.each(EACH)('the message %s in %s tells nothing', (kind, language) => {
  it('in subject, preview, text and HTML, in any situation', () => {
    for (const facts of situationsOf(kind))
      for (const part of partsOf(kind, facts, language)) expectNothing(part);
  });

  it('in the SMS', () => {
    for (const facts of situationsOf(kind)) expectNothing(composeSms(kind, facts, language));
  });

  it('in the calendar entry', () => {
    expectNothing(entryOf(kind, language));
  });
});

describe('a mail to the operator tells nothing', () => {
  it.each(ATTENTION_KINDS)('about the person of %s', (kind) => {
    const { subject, text, html } = composeAlert(alertOf(kind), null);
    for (const part of [subject, text, html])
      for (const word of SAMPLE.filter((it) => it !== 'video')) expect(part).not.toContain(word);
  });
});

describe('the words that tell', () => {
  it('are found', () => {
    for (const text of [
      'Fysioterapi',
      'your treatment',
      'hos psykolog',
      'Klinikken',
      'etter skaden',
      'legen',
    ])
      expect(() => expectNothing(text)).toThrow();
  });
});
