import { instant, type CalendarDate } from '../../domain/instant.ts';
import { activatedAnswer, loginAnswer, logoutAnswer, meAnswer } from '../answers/auth.ts';
import { activateInput, loginInput } from '../inputs/auth.ts';
import { noInput } from '../inputs/case-actions.ts';
import { operation } from '../operation.ts';

const PARTNER = { id: 'fjordtrygd', name: 'Fjordtrygd Forsikring' };
const EMAIL = 'utvikler@fjordtrygd.example';
const PASSWORD = 'korrekt hest batteri stift';
const anHourLater = (today: CalendarDate) => instant(`${today}T11:00:00Z`);

export const activate = operation({
  id: 'activate',
  method: 'post',
  path: '/auth/activate',
  tag: 'Partner login',
  access: 'anybody',
  summary: 'Set a password',
  description:
    'With the one-time token that our operator gave you. A forgotten password is a new activation: ask the operator for ' +
    'one. It voids the old password and ends all sessions.',
  body: () => activateInput,
  bodyExamples: {
    activate: {
      summary: 'A token and a new password',
      value: () => ({
        activationToken: 'tb_act_6bmB4mOJb1k3u0lWcJyZ9m1cJm1x2c7m4rQ0n8s5tZk0a1b2c3',
        password: PASSWORD,
      }),
    },
  },
  answer: {
    status: 201,
    description: 'The account can log in now.',
    schema: activatedAnswer,
    examples: { activated: { summary: 'Activated', value: () => ({ email: EMAIL, partner: PARTNER }) } },
  },
  refusals: ['ACTIVATION_TOKEN_INVALID'],
});

export const login = operation({
  id: 'login',
  method: 'post',
  path: '/auth/login',
  tag: 'Partner login',
  access: 'anybody',
  summary: 'Log in',
  description: 'The access token is for managing API keys, 60 minutes long. Cases are for API keys.',
  body: () => loginInput,
  bodyExamples: {
    login: { summary: 'E-mail address and password', value: () => ({ email: EMAIL, password: PASSWORD }) },
  },
  answer: {
    status: 200,
    description: 'An access token.',
    schema: loginAnswer,
    examples: {
      in: {
        summary: 'Logged in',
        value: (t) => ({
          accessToken: 'tb_at_VJ0q8yV2b7K1mZr3x9TtW4uYcE5dH6fPgRsLnAoQiMk0z9y8x7',
          tokenType: 'Bearer',
          expiresAt: anHourLater(t),
        }),
      },
    },
  },
  refusals: ['INVALID_CREDENTIALS'],
});

export const logout = operation({
  id: 'logout',
  method: 'post',
  path: '/auth/logout',
  tag: 'Partner login',
  access: 'access token',
  summary: 'Log out',
  description: 'Ends this access token. The account’s others go on until they expire.',
  body: () => noInput,
  answer: {
    status: 200,
    description: 'The access token is good no more.',
    schema: logoutAnswer,
    examples: { out: { summary: 'Logged out', value: () => ({ authenticated: false }) } },
  },
});

export const me = operation({
  id: 'me',
  method: 'get',
  path: '/auth/me',
  tag: 'Partner login',
  access: 'access token',
  summary: 'Who is logged in',
  answer: {
    status: 200,
    description: 'The account, and the partner whose keys it manages.',
    schema: meAnswer,
    examples: {
      me: {
        summary: 'A partner’s developer',
        value: (t) => ({ email: EMAIL, partner: PARTNER, expiresAt: anHourLater(t) }),
      },
    },
  },
});
