import type { PartnerId } from '../domain/ids.ts';
import {
  addPartner,
  findPartner,
  hashReferences,
  listPartners,
  renamePartner,
  resumePartner,
  setRetention,
  suspendPartner,
} from '../postgres/partners.ts';
import type { InputOf } from './descriptions/index.ts';
import { answer, type Answer, confirm, inCamelCase, listed, logged, type Operation } from './operation.ts';
import { alreadyExists, unknown } from './operator-error.ts';
import { parts, way } from './view.ts';

// The insurers, who hand cases over.

export async function add(operation: Operation, { id, name }: InputOf<'partner add'>): Promise<Answer> {
  await logged(operation, { subject: id }, async () => {
    if (!(await addPartner(operation.database, id, name)))
      throw alreadyExists(`There is a partner ${id} already.`);
  });
  return answer(
    parts(
      `Partner ${id} is registered.`,
      `Next: \`operator key create ${id} --name <name>\` for its first API key, or \`operator user add ${id} <e-mail>\` for somebody who manages its keys.`,
    ),
    { id, name },
  );
}

export const list = async ({ database }: Operation): Promise<Answer> =>
  listed(
    (await listPartners(database)).map(inCamelCase),
    { Id: 'id', Name: 'name', Cases: 'cases', Registered: 'createdAt', Suspended: 'suspendedAt' },
    'No partner is registered yet: `operator partner add` does that.',
    ({ id, suspendedAt }) => [
      way('key list', { partner: id }),
      way('user list', { partner: id }),
      way('partner rename', { id }),
      way('partner references', { id }),
      way(suspendedAt ? 'partner resume' : 'partner suspend', { id }),
    ],
  );

export async function rename(operation: Operation, { id, name }: InputOf<'partner rename'>): Promise<Answer> {
  const partnerId = await requirePartner(operation, id);
  await logged(operation, { subject: id }, () => renamePartner(operation.database, partnerId, name));
  return answer(`Partner ${id} is now called ${name}.`, { id, name });
}

export async function suspend(
  operation: Operation,
  { id, reason }: InputOf<'partner suspend'>,
): Promise<Answer> {
  const partnerId = await requirePartner(operation, id);
  confirm(operation, `All keys and users of ${id} will be refused from now on.`, {
    undo: 'It lasts until `operator partner resume`',
  });
  const changed = await logged(operation, { subject: id, note: reason }, () =>
    suspendPartner(operation.database, partnerId),
  );
  return answer(
    parts(
      changed ? `Partner ${id} is suspended.` : `Partner ${id} was suspended before, and still is.`,
      `Next: \`operator key revoke ${id} <key>\` for what leaked, then \`operator partner resume ${id}\`.`,
    ),
    { id, suspended: true, changed },
  );
}

export async function resume(operation: Operation, { id }: InputOf<'partner resume'>): Promise<Answer> {
  const partnerId = await requirePartner(operation, id);
  const changed = await logged(operation, { subject: id }, () =>
    resumePartner(operation.database, partnerId),
  );
  return answer(changed ? `Partner ${id} is let in again.` : `Partner ${id} is not suspended.`, {
    id,
    suspended: false,
    changed,
  });
}

/** What Temporal is shown of the partner's references. */
export async function references(
  operation: Operation,
  { id, show }: InputOf<'partner references'>,
): Promise<Answer> {
  const partnerId = await requirePartner(operation, id);
  await logged(operation, { subject: id, note: show }, () =>
    hashReferences(operation.database, partnerId, show === 'hashed'),
  );
  const how = show === 'hashed' ? 'hashed' : 'as they are';
  return answer(`Temporal shows new references of ${id} ${how}.`, { id, show });
}

/** For how long personal data of the partner's cases is kept. */
export async function retention(
  operation: Operation,
  { id, months: given }: InputOf<'partner retention'>,
): Promise<Answer> {
  const months = given ?? null;
  const partnerId = await requirePartner(operation, id);
  await logged(operation, { subject: id, note: months === null ? 'as usual' : `${months} months` }, () =>
    setRetention(operation.database, partnerId, months),
  );
  const how = months === null ? 'as long as the service keeps it' : `for ${months} months`;
  return answer(`Personal data of ${id} is kept ${how} after a case is archived.`, { id, months });
}

/** @throws OperatorError when there is no such partner */
export async function requirePartner({ database }: Operation, id: string): Promise<PartnerId> {
  const partnerId = await findPartner(database, id);
  if (partnerId) return partnerId;
  throw unknown(
    'partner',
    id,
    'partners',
    (await listPartners(database)).map((partner) => partner.id),
  );
}
