import { formatTimestamp } from '../calendar/format.ts';
import { email } from '../http/fields.ts';
import { issueToken } from '../identity/secrets.ts';
import {
  createPartnerUser,
  issueActivation,
  listPartnerUsers,
  type PartnerUserRow,
  removePartnerUser,
  resumePartnerUser,
  suspendPartnerUser,
} from '../postgres/partner-users.ts';
import { findUser, type PartnersUser } from '../postgres/partners.ts';
import type { InputOf } from './descriptions/index.ts';
import { checked } from './input-rules.ts';
import { answer, type Answer, confirm, inCamelCase, listed, logged, type Operation } from './operation.ts';
import { alreadyExists, notFound } from './operator-error.ts';
import { requirePartner } from './partners.ts';
import { facts, parts, way } from './view.ts';

// Those who log in for a partner, to manage its API keys.

export async function add(operation: Operation, input: InputOf<'user add'>): Promise<Answer> {
  const mail = mailOf(input);
  const partnerId = await requirePartner(operation, input.partner);
  const created = await logged(operation, { subject: input.partner }, async () => {
    const result = await createPartnerUser(operation.database, { partnerId, email: mail });
    if ('created' in result) return result.created;
    throw alreadyExists(`There is an account for ${mail} already.`);
  });
  return answer(
    parts(
      `${mail} has an account now.`,
      `Next: \`operator user activate ${mail}\`, so that they can set a password.`,
    ),
    { ...inCamelCase(created), partnerId },
  );
}

export async function list(operation: Operation, { partner }: InputOf<'user list'>): Promise<Answer> {
  const partnerId = await requirePartner(operation, partner);
  return listed(
    (await listPartnerUsers(operation.database, partnerId)).map(inCamelCase),
    {
      'E-mail': 'email',
      Status: (row) => userStatus(row, operation.now()),
      Since: 'createdAt',
      Id: 'id',
    },
    'Nobody has an account there.',
    ({ email: mail, suspendedAt }) => [
      way('user activate', { email: mail }),
      way(suspendedAt ? 'user resume' : 'user suspend', { email: mail }),
      way('user remove', { email: mail }),
    ],
  );
}

export async function activate(operation: Operation, input: InputOf<'user activate'>): Promise<Answer> {
  const { database, settings } = operation;
  const found = await requireUser(operation, input);
  const row = (await listPartnerUsers(database, found.partner_id)).find(({ id }) => id === found.id);
  if (row?.activated_at) confirm(operation, `${found.email} has a password. It ends now, with all sessions.`);
  const { token, tokenHash } = issueToken('activation');
  const until = await logged(operation, { subject: found.id }, async () => {
    const expiry = await issueActivation(database, { email: found.email, tokenHash });
    if (!expiry) throw unknownUser(found.email);
    return expiry;
  });
  const call = `POST ${settings.publicUrl}/api/v1/auth/activate`;
  return answer(
    parts(
      `Send this to ${found.email} over a private channel. It is not shown again.`,
      facts([
        ['Token', token],
        ['Valid until', `${formatTimestamp(until)}, once`],
        [
          'What to do',
          `${call} with {"activationToken": "<the token>", "password": "<a new one>"}; the answer has the secret for their authenticator app`,
        ],
      ]),
    ),
    { email: found.email, partnerId: found.partner_id, activationToken: token, expiresAt: until },
  );
}

export async function suspend(operation: Operation, input: InputOf<'user suspend'>): Promise<Answer> {
  const found = await requireUser(operation, input);
  confirm(operation, `${found.email} will be refused from now on.`, {
    undo: 'It lasts until `operator user resume`',
  });
  const changed = await logged(operation, { subject: found.id, note: input.reason }, () =>
    suspendPartnerUser(operation.database, found.id),
  );
  return answer(
    parts(
      changed ? `${found.email} is suspended.` : `${found.email} was suspended before, and still is.`,
      `If they knew an API key, rotate it: \`operator key list ${found.partner_id}\`.`,
    ),
    { email: found.email, partnerId: found.partner_id, suspended: true, changed },
  );
}

export async function resume(operation: Operation, input: InputOf<'user resume'>): Promise<Answer> {
  const found = await requireUser(operation, input);
  const changed = await logged(operation, { subject: found.id }, () =>
    resumePartnerUser(operation.database, found.id),
  );
  return answer(changed ? `${found.email} may log in again.` : `${found.email} is not suspended.`, {
    email: found.email,
    partnerId: found.partner_id,
    suspended: false,
    changed,
  });
}

export async function remove(operation: Operation, input: InputOf<'user remove'>): Promise<Answer> {
  const found = await requireUser(operation, input);
  confirm(operation, `The account of ${found.email} at ${found.partner_id} will be closed.`);
  await logged(operation, { subject: found.id }, async () => {
    if (!(await removePartnerUser(operation.database, found.email))) throw unknownUser(found.email);
  });
  return answer(
    `The account is closed. If they knew an API key, rotate it: \`operator key list ${found.partner_id}\`.`,
    { email: found.email, partnerId: found.partner_id, removed: true },
  );
}

const mailOf = (input: { readonly email: string }): string => checked({ email }, input).email ?? '';

const unknownUser = (mail: string) =>
  notFound(`Nobody has an account with ${mail}. \`operator user list <partner>\` shows who has.`);

async function requireUser(
  { database }: Operation,
  input: { readonly email: string },
): Promise<PartnersUser> {
  const mail = mailOf(input);
  const found = await findUser(database, mail);
  if (!found) throw unknownUser(mail);
  return found;
}

function userStatus(
  { activatedAt, activationExpiresAt: expiry, suspendedAt }: ReturnType<typeof inCamelCase<PartnerUserRow>>,
  now: Date,
): string {
  if (suspendedAt) return `suspended since ${formatTimestamp(suspendedAt)}`;
  if (!expiry) return activatedAt ? 'active' : 'no activation issued';
  const isOver = Date.parse(expiry) <= now.getTime();
  return isOver ? 'activation expired' : `activation pending until ${formatTimestamp(expiry)}`;
}
