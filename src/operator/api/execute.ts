import { formatTimestamp } from '../../calendar/format.ts';
import { parseCaseId } from '../../domain/ids.ts';
import { type Actor, Denied } from '../../identity/operators/actor.ts';
import { databaseFaultOf } from '../../postgres/database-errors.ts';
import { addRequest, grantRequest, listRequests, readRequest } from '../../postgres/operators.ts';
import type { Description } from '../description.ts';
import { DESCRIPTIONS, type InputOf, type OperationName } from '../descriptions/index.ts';
import {
  type Answer,
  confirm,
  inCamelCase,
  listed,
  logged,
  type Operation,
  type Service,
} from '../operation.ts';
import { notFound, OperatorError, refusal, wrongFields } from '../operator-error.ts';
import { RUNS } from '../runs.ts';
import { way } from '../view.ts';

/** How long a second person has to grant what takes two. */
const GRANT_MINUTES = 15;

export interface Asked {
  /** Such as `case retry`. */
  readonly name: string;
  /** As it came, with `confirm` where it is meant. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
  readonly say: Operation['say'];
  /** From where, for the access log. */
  readonly from: { readonly address: string | null; readonly requestId: string };
  readonly signal: AbortSignal;
}

/**
 * Does what an operator asks for, or says why not; which cases they saw is in the access log before they do. The one way
 * in: the operator API and its pages both come here.
 *
 * @throws Denied without the role, OperatorError for what is refused
 */
export async function execute(service: Service, asked: Asked): Promise<Answer> {
  const { actor, name, input, from } = asked;
  const note = (outcome: string, result: unknown) =>
    service.noteAccess({
      ...{ who: 'operator', whoId: actor.subject, whoName: actor.name, ...from, outcome },
      action: input['reveal'] === true ? 'case.reveal' : name.replace(' ', '.'),
      caseIds: casesIn(name, input['case'], result),
    });
  const done = await perform(service, asked).catch(async (error: unknown) => {
    const code = error instanceof OperatorError || error instanceof Denied ? error.code : 'INTERNAL_ERROR';
    // where that can't be written, the refusal itself says more
    await note(code, null).catch(() => undefined);
    throw error;
  });
  await note('done', done.result).catch((error: unknown) => {
    // what is personal is shown to nobody unseen; where cases stand is seen during a failover, too
    if (input['reveal'] === true || databaseFaultOf(error) !== 'read_only') throw error;
  });
  return done;
}

/** Of a case that was named by its id, and of an answer: the case that it is about, or all in its `data`. */
function casesIn(name: string, asked: unknown, result: unknown): readonly string[] {
  type Row = Readonly<Record<string, unknown>>;
  const { data } = (result ?? {}) as { data?: unknown };
  const rows = [result, ...(Array.isArray(data) ? (data as unknown[]) : [])] as (Row | null)[];
  const ids = rows.flatMap((row) => [row?.['caseId'], name.startsWith('case ') ? row?.['id'] : undefined]);
  const found = [asked, ...ids].map((id) => (typeof id === 'string' ? parseCaseId(id) : null));
  return [...new Set(found.filter((id) => id !== null))];
}

async function perform(service: Service, asked: Asked): Promise<Answer> {
  const description = descriptionOf(asked.name);
  const { confirm: confirmed, ...given } = asked.input;
  requireRole(asked.actor, description, given);
  const input = parsed(description, given);
  const operation: Operation = {
    ...service,
    ...{ name: description.name, input, actor: asked.actor, grantedBy: null },
    ...{ confirmed: typeof confirmed === 'string' ? confirmed : undefined },
    ...{ say: asked.say, signal: asked.signal },
  };
  if (description.name === 'grant') return grant(operation, input as InputOf<'grant'>);
  const what = description.fourEyes?.(input as never) ?? null;
  if (what !== null) return askForGrant(operation, what);
  return run(operation, description.name, input);
}

const run = (operation: Operation, name: Exclude<OperationName, 'grant'>, input: unknown): Promise<Answer> =>
  // the input was parsed by the description of this name
  (RUNS[name] as (operation: Operation, input: unknown) => Promise<Answer>)(operation, input);

function descriptionOf(name: string) {
  const found = DESCRIPTIONS.find((description) => description.name === name);
  if (!found)
    throw notFound(`There is no operation "${name}". GET /operator/v1/openapi.json describes them.`);
  return found as Description<OperationName>;
}

/** @throws Denied that names the roles which let somebody do it */
export function requireRole(
  actor: Actor,
  { roles, roleWith, name }: Pick<Description, 'roles' | 'roleWith' | 'name'>,
  input: Readonly<Record<string, unknown>>,
): void {
  const needed = roleWith && input[roleWith.field] ? [roleWith.role] : roles;
  if (needed.some((role) => actor.roles.includes(role))) return;
  throw new Denied('ROLE_MISSING', {
    message: `\`${name}\` takes the role ${needed.join(' or ')}, and ${actor.name} has ${actor.roles.join(', ') || 'none'}. Whoever administers the identity provider gives roles.`,
  });
}

function parsed({ input: schema }: Pick<Description, 'input'>, given: unknown): unknown {
  const result = schema.safeParse(given, { reportInput: true });
  if (result.success) return result.data;
  throw wrongFields(
    result.error.issues.flatMap((issue) => {
      if (issue.code === 'unrecognized_keys') {
        const known = Object.keys(schema.shape).join(', ') || 'none';
        return issue.keys.map((field) => ({ field, message: `is not known. There are: ${known}.` }));
      }
      const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
      return [{ field: String(issue.path[0]), message: isMissing ? 'is required.' : wordsOf(issue) }];
    }),
  );
}

/** In words that go on from the field's name, as all rules of ours are. */
const wordsOf = (issue: {
  readonly message: string;
  readonly code: string;
  readonly values?: unknown;
}): string =>
  issue.code === 'invalid_value' && Array.isArray(issue.values)
    ? `must be one of: ${issue.values.join(', ')}.`
    : issue.message;

/** Keeps what takes two until another grants it. @throws OperatorError `GRANT_REQUIRED`, always */
async function askForGrant(operation: Operation, what: string): Promise<Answer> {
  const { database, name, input, actor } = operation;
  confirm(operation, what, {
    undo: `It is done once somebody else grants it, within ${GRANT_MINUTES} minutes`,
  });
  return logged(operation, { note: 'asked for' }, async () => {
    const { id, ends_at: endsAt } = await addRequest(database, {
      ...{ operation: name, input, what, actor, minutes: GRANT_MINUTES },
    });
    throw refusal(
      'GRANT_REQUIRED',
      `Nothing is done yet. Somebody else grants it with \`operator grant ${id}\` until ${formatTimestamp(endsAt)}.`,
      { details: { request: id, endsAt } },
    );
  });
}

/** Has done what another has asked for. */
async function grant(operation: Operation, { id }: InputOf<'grant'>): Promise<Answer> {
  const { database, actor } = operation;
  if (id === undefined)
    return listed(
      (await listRequests(database)).map(({ input: _, asked_by_subject: __, ...row }) => inCamelCase(row)),
      { Number: 'id', What: 'operation', Until: 'endsAt', By: 'askedBy', 'Will be done': 'what' },
      'Nothing waits for a second person.',
      (row) => [way('grant', { id: row.id })],
    );
  const request = await readRequest(database, id);
  if (!request)
    throw notFound(
      `Nobody has asked for anything with the number ${id}. \`operator grant\` shows what waits.`,
    );
  const description = descriptionOf(request.operation);
  requireRole(actor, description, request.input as Readonly<Record<string, unknown>>);
  if (request.is_granted) throw refusal('ALREADY_GRANTED', 'Somebody has granted that already.');
  if (request.is_over) throw expired(request.ends_at);
  if (request.asked_by_subject === actor.subject)
    throw refusal('SAME_PERSON', 'You have asked for it yourself: somebody else has to grant it.');
  if (actor.via === 'break_glass')
    throw refusal(
      'LOGIN_NEEDED',
      'Who grants must be known by a login, and without one there is a name only.',
    );
  confirm(operation, `${request.asked_by} asks for \`${request.operation}\`: ${request.what}`);
  return logged(operation, { subject: `${request.operation} ${id}` }, async () => {
    if (!(await grantRequest(database, id, actor))) throw expired(request.ends_at);
    const asker: Actor = {
      ...{ subject: request.asked_by_subject, name: request.asked_by, via: request.asked_via },
      roles: description.roles,
    };
    const input = parsed(description, request.input);
    const name = description.name as Exclude<OperationName, 'grant'>;
    return run({ ...operation, name, input, actor: asker, grantedBy: actor }, name, input);
  });
}

const expired = (endsAt: Parameters<typeof formatTimestamp>[0]) =>
  refusal(
    'REQUEST_EXPIRED',
    `It could be granted until ${formatTimestamp(endsAt)}, so nothing is done. Have it asked for again.`,
  );
