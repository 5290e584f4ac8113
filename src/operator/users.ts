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
} from '../postgres/partner-users.ts';
import { findUser, type PartnersUser } from '../postgres/partners.ts';
import { examples, parsedBy } from './arguments.ts';
import { answer, confirm, logged, type Operation, type Run, YES } from './operation.ts';
import { alreadyExists, notFound } from './operator-error.ts';
import { requirePartner } from './partners.ts';
import { facts, parts, table } from './terminal.ts';

const address = parsedBy(email);

/** Those who log in for a partner, to manage its API keys. */
export function userCommands(program: Command, run: Run): void {
  const user = program.command('user').description('people who log in for a partner, to manage its API keys');

  user
    .command('add')
    .description('open an account for somebody at a partner')
    .argument('<partner>', "the partner's id")
    .argument('<email>', 'by which they log in', address)
    .addHelpText('after', examples(['user add fjordtrygd kim@fjordtrygd.example', 'then activate it']))
    .action((partner, mail) =>
      run(async (operation) => {
        const { database } = operation;
        const partnerId = await requirePartner(database, partner);
        const created = await logged(operation, { action: 'user.add', subject: partner }, async () => {
          const result = await createPartnerUser(database, { partnerId, email: mail });
          if ('created' in result) return result.created;
          throw alreadyExists(`Somebody has an account with ${mail} already.`);
        });
        return answer(
          parts(
            `${mail} has an account now.`,
            `Next: \`operator user activate ${mail}\`, so that they can set a password.`,
          ),
          { ...userJson(created), partnerId },
        );
      }),
    );

  user
    .command('list')
    .description('who has an account at a partner')
    .argument('<partner>', "the partner's id")
    .addHelpText('after', examples(['user list fjordtrygd', 'everybody there']))
    .action((partner) =>
      run(async (operation) => {
        const { database } = operation;
        const rows = await listPartnerUsers(database, await requirePartner(database, partner));
        return answer(
          table(
            ['E-mail', 'Standing', 'Since', 'Id'],
            rows.map((row) => [
              row.email,
              userStatus(row, operation.now()),
              formatTimestamp(row.created_at),
              row.id,
            ]),
            'Nobody has an account there.',
          ),
          { data: rows.map(userJson) },
        );
      }),
    );

  user
    .command('activate')
    .description('issue a one-time token to set a password with, good for 72 hours')
    .argument('<email>', 'whose account', address)
    .option(...YES)
    .addHelpText(
      'after',
      examples(['user activate kim@fjordtrygd.example', 'a new account, or a forgotten password']) +
        '\n\nA password that was set before ends at once, and so do all sessions: it asks first.',
    )
    .action((mail, { yes }) =>
      run(async (operation) => {
        const { database, settings } = operation;
        const found = await requireUser(operation, mail);
        const [row] = (await listPartnerUsers(database, found.partner_id)).filter(
          ({ id }) => id === found.id,
        );
        if (row?.activated_at) {
          await confirm(operation, {
            what: `${found.email} has a password. It ends now, with all sessions.`,
            expected: 'yes',
            yes,
          });
        }
        const { token, tokenHash } = issueToken('activation');
        const until = await logged(operation, { action: 'user.activate', subject: found.id }, async () => {
          const good = await issueActivation(database, { email: found.email, tokenHash });
          if (!good) throw unknownUser(mail);
          return good;
        });
        const call = `POST ${settings.publicUrl}/api/v1/auth/activate`;
        return answer(
          parts(
            `Send this to ${found.email}, by a way that nobody else reads. It is shown this once.`,
            facts([
              ['Token', token],
              ['Good until', `${formatTimestamp(until)}, once`],
              ['What to do', `${call} with {"activationToken": "<the token>", "password": "<a new one>"}`],
            ]),
          ),
          { email: found.email, partnerId: found.partner_id, activationToken: token, expiresAt: until },
        );
      }),
    );

  user
    .command('remove')
    .description("close an account and end its sessions; the partner's keys go on")
    .argument('<email>', 'whose account', address)
    .option(...YES)
    .addHelpText('after', examples(['user remove kim@fjordtrygd.example', 'somebody has left']))
    .action((mail, { yes }) =>
      run(async (operation) => {
        const found = await requireUser(operation, mail);
        await confirm(operation, {
          what: `The account of ${found.email} at ${found.partner_id} will be closed.`,
          expected: 'yes',
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

function userStatus({ activated_at, activation_expires_at }: PartnerUserRow, now: Date): string {
  if (activation_expires_at) {
    const isOver = Date.parse(activation_expires_at) <= now.getTime();
    return isOver
      ? 'its activation ran out'
      : `activation awaited until ${formatTimestamp(activation_expires_at)}`;
  }
  return activated_at ? 'active' : 'no activation issued';
}

const userJson = ({ id, email: mail, created_at, activated_at, activation_expires_at }: PartnerUserRow) => ({
  id,
  email: mail,
  createdAt: created_at,
  activatedAt: activated_at,
  activationExpiresAt: activation_expires_at,
});
