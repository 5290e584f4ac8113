import { parseForm, personFrom } from '../../dev/eid/person.ts';
import { createSearch } from './search.ts';

/** All that is personal in the canary's cases, in words that occur nowhere else. */
export const MARKS = {
  firstName: 'Fuglunnbjørg',
  lastName: 'Kanarisæther',
  birthDate: '1961-07-19',
  email: 'kanari.saether@mottatt.example',
  /** The mail server refuses it for good, and says so with the address; the other one at first only. */
  refusedEmail: 'kanari.nektet@avvist.example',
  slowEmail: 'kanari.senere@senere.example',
  phone: '+4790055123',
  otherPhone: '+4790055124',
  refusedPhone: '+4790055125',
  injury: 'Kanariskade: fall på isen ved Fuglunnvatnet',
  reason: 'Kanarigrunn: ordnet på annen måte',
  message: 'Kanariord: ring meg på 900 55 123',
  policyNumber: 'POL-KANARI-1',
  referralNumber: 'REF-KANARI-2',
  nationalIdentityNumber: '01010750160',
  userAgent: 'Kanarileser/1.0',
  address: '198.51.100.77',
} as const;

/** Who logs in at the eID, and who tries with somebody else's link. */
export const CUSTOMER = {
  givenName: MARKS.firstName,
  familyName: MARKS.lastName,
  birthDate: MARKS.birthDate,
};
export const STRANGER = { givenName: 'Fuglunnfremmed', familyName: 'Kanarivenn', birthDate: '1961-07-20' };

const subjects = [CUSTOMER, STRANGER].flatMap((person) => {
  const { sub, certificate } = personFrom(parseForm(person));
  return [sub, certificate];
});

export const search = createSearch({
  words: ['kanari', 'fuglunn', ...subjects, MARKS.address],
  numbers: ['90055123', '90055124', '90055125', '19610719', '19610720', MARKS.nationalIdentityNumber],
});
