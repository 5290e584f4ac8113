import { ROLES, type Role } from '../../src/identity/operators/actor.ts';

/** Somebody who works here, as the organisation's login server knows them. */
export interface Colleague {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Role[];
  /** Left, or locked: no login, and no token any more. */
  readonly isDisabled: boolean;
}

/** One for each role, one with all of them, and one who works elsewhere in the house. */
const COLLEAGUES: readonly (readonly [id: string, name: string, roles: readonly Role[]])[] = [
  ['ada', 'Ada Allmakt', ROLES],
  ['siri', 'Siri Saksbehandler', ['support']],
  ['runar', 'Runar Innsyn', ['support', 'reveal']],
  ['oda', 'Oda Oppstart', ['onboarding']],
  ['pia', 'Pia Plattform', ['platform']],
  ['aksel', 'Aksel Revisor', ['auditor']],
  ['nils', 'Nils Nabo', []],
];

/** What a role is called in the organisation: the service's settings say which of its own it is. */
export const organisationsRole = (role: Role): string => `booking-${role}`;
export const ROLES_CLAIM = 'realm_access.roles';

export const createColleagues = (): Map<string, Colleague> =>
  new Map(COLLEAGUES.map(([id, name, roles]) => [id, { id, name, roles, isDisabled: false }]));

/** What is told of them in every access token, where Keycloak would put it. */
export const claimsOf = ({ name, roles }: Colleague) => ({
  name,
  realm_access: { roles: ['default-roles-house', ...roles.map(organisationsRole)] },
});
