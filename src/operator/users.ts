import type { Command } from '@commander-js/extra-typings';
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
import { examples, note, parsedBy } from './arguments.ts';
import { answer, confirm, inCamelCase, listed, logged, type Operation, type Run, YES } from './operation.ts';
import { alreadyExists, notFound } from './operator-error.ts';
import { forPartner } from './partners.ts';
import { facts, parts } from './terminal.ts';

const mailAddress = parsedBy(email);

/** Those who log in for a partner, to manage its API keys. */
export function userCommands(program: Command, run: Run): void {
  const user = program.command('user').description('people who log in for a partner, to manage its API keys');

  user
    .command('add')
    .description('create an account for somebody at a partner')
    .argument('<partner>', "the partner's id")
    .argument('<email>', 'with which they log in', mailAddress)
    .addHelpText('after', examples('user add fjordtrygd kim@fjordtrygd.example  # then activate it'))
    .action((partner, mail) =>
      forPartner(run, partner, async (operation, partnerId) => {
        const created = await logged(operation, { action: 'user.add', subject: partner }, async () => {
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
      }),
    );

  user
    .command('list')
    .description('who has an account at a partner')
    .argument('<partner>', "the partner's id")
    .addHelpText('after', examples('user list fjordtrygd  # everybody there'))
    .action((partner) =>
      forPartner(run, partner, async ({ database, now }, partnerId) =>
        listed(
          (await listPartnerUsers(database, partnerId)).map(inCamelCase),
          { 'E-mail': 'email', Status: (row) => userStatus(row, now()), Since: 'createdAt', Id: 'id' },
          'Nobody has an account there.',
        ),
      ),
    );

  user
    .command('activate')
    .description('issue a one-time token to set a password with, valid for 72 hours')
    .argument('<email>', 'whose account', mailAddress)
    .option(...YES)
    .addHelpText(
      'after',
      examples(
        'user activate kim@fjordtrygd.example  # a new account, a forgotten password, a lost telephone',
      ) +
        '\n\nAsks first where a password is set: it ends at once, with the secret of the one-time codes and all sessions. Opens an\naccount that too many failures have closed.',
    )
    .action((mail, { yes }) =>
      run(async (operation) => {
        const { database, settings } = operation;
        const found = await requireUser(operation, mail);
        const row = (await listPartnerUsers(database, found.partner_id)).find(({ id }) => id === found.id);
        if (row?.activated_at)
          await confirm(operation, `${found.email} has a password. It ends now, with all sessions.`, { yes });
        const { token, tokenHash } = issueToken('activation');
        const until = await logged(operation, { action: 'user.activate', subject: found.id }, async () => {
          const expiry = await issueActivation(database, { email: found.email, tokenHash });
          if (!expiry) throw unknownUser(mail);
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
      }),
    );

  user
    .command('suspend')
    .description("keep somebody out at once, logged in or not; the partner's keys stay valid")
    .argument('<email>', 'whose account', mailAddress)
    .requiredOption('--reason <text>', 'why, for the log', note)
    .option(...YES)
    .addHelpText(
      'after',
      examples('user suspend kim@fjordtrygd.example --reason "a stolen laptop"  # at once'),
    )
    .action((mail, { reason, yes }) =>
      run(async (operation) => {
        const found = await requireUser(operation, mail);
        await confirm(operation, `${found.email} will be refused from now on.`, {
          yes,
          undo: 'It lasts until `operator user resume`',
        });
        const entry = { action: 'user.suspend', subject: found.id, note: reason };
        const changed = await logged(operation, entry, () =>
          suspendPartnerUser(operation.database, found.id),
        );
        return answer(
          parts(
            changed ? `${found.email} is suspended.` : `${found.email} was suspended before, and still is.`,
            `If they knew an API key, rotate it: \`operator key list ${found.partner_id}\`.`,
          ),
          { email: found.email, partnerId: found.partner_id, suspended: true, changed },
        );
      }),
    );

  user
    .command('resume')
    .description('let somebody who is suspended log in again')
    .argument('<email>', 'whose account', mailAddress)
    .addHelpText('after', examples('user resume kim@fjordtrygd.example  # the laptop was found'))
    .action((mail) =>
      run(async (operation) => {
        const found = await requireUser(operation, mail);
        const changed = await logged(operation, { action: 'user.resume', subject: found.id }, () =>
          resumePartnerUser(operation.database, found.id),
        );
        return answer(changed ? `${found.email} may log in again.` : `${found.email} is not suspended.`, {
          email: found.email,
          partnerId: found.partner_id,
          suspended: false,
          changed,
        });
      }),
    );

  user
    .command('remove')
    .description("close an account and end its sessions; the partner's keys stay valid")
    .argument('<email>', 'whose account', mailAddress)
    .option(...YES)
    .addHelpText('after', examples('user remove kim@fjordtrygd.example  # somebody has left'))
    .action((mail, { yes }) =>
      run(async (operation) => {
        const found = await requireUser(operation, mail);
        await confirm(operation, `The account of ${found.email} at ${found.partner_id} will be closed.`, {
          yes,
        });
        await logged(operation, { action: 'user.remove', subject: found.id }, async () => {
          if (!(await removePartnerUser(operation.database, found.email))) throw unknownUser(mail);
        });
        return answer(
          `The account is closed. If they knew an API key, rotate it: \`operator key list ${found.partner_id}\`.`,
          { email: found.email, partnerId: found.partner_id, removed: true },
        );
      }),
    );
}

const unknownUser = (mail: string) =>
  notFound(`Nobody has an account with ${mail}. \`operator user list <partner>\` shows who has.`);

async function requireUser({ database }: Operation, mail: string): Promise<PartnersUser> {
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
