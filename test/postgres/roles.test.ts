import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { asRole } from '../../dev/postgres/server.ts';
import { createTestDatabase } from '../support/database.ts';

const PROCESSES = ['booking_api', 'booking_worker', 'booking_operator'] as const;
const ROLES = [...PROCESSES, 'booking_partner', 'booking_auditor'] as const;
type Role = (typeof ROLES)[number];

/** What is only ever added to. */
const LOGS = ['access_log', 'operator_log', 'operator_log_outcomes'];

/** Columns that only these may read, whatever else they need of the table. */
const SECRETS: Readonly<Record<string, readonly Role[]>> = {
  'api_keys.key_hash': ['booking_api'],
  'partner_users.password_hash': ['booking_api'],
  'partner_users.one_time_secret': ['booking_api'],
  'partner_users.activation_hash': ['booking_api'],
  'access_tokens.token_hash': ['booking_api'],
  'idempotency_keys.answer': ['booking_api'],
  'operator_sessions.refresh_token': ['booking_operator'],
  'operator_log.note': ['booking_operator', 'booking_auditor'],
  'keys.data_keys.wrapped': [...PROCESSES, 'booking_partner'],
  'keys.search_key.wrapped': [...PROCESSES],
  'cases.sealed': [...PROCESSES, 'booking_partner'],
  'case_texts.sealed': [...PROCESSES, 'booking_partner'],
  'case_persons.sealed': [...PROCESSES],
  'test_messages.body': ['booking_api', 'booking_worker'],
};

/** Columns that only these may change. */
const CHANGED_BY: Readonly<Record<string, readonly Role[]>> = {
  'cases.state': ['booking_worker'],
  'cases.status': ['booking_worker'],
  'cases.partner_id': ['booking_worker'],
  'cases.sealed': ['booking_worker'],
  'keys.data_keys.wrapped': ['booking_operator'],
  'bookings.during': ['booking_worker'],
  'slot_claims.during': ['booking_worker'],
  'events.data': [],
  'api_keys.key_hash': [],
  'api_keys.scopes': [],
  'partners.suspended_at': ['booking_operator'],
  'partner_users.email': [],
  'partner_users.suspended_at': ['booking_operator'],
  'providers.base_url': ['booking_operator'],
  'case_persons.person_id': [],
  'persons.hash': [],
  'case_persons.unbound_at': ['booking_operator'],
  'operator_requests.granted_by': ['booking_operator'],
};

/** Tables of whose rows only these may take any away. */
const DELETED_BY: Readonly<Record<string, readonly Role[]>> = {
  'keys.data_keys': [],
  'keys.search_key': [],
  'keys.erasures': [],
  cases: [],
  events: [],
  case_persons: [],
  bookings: [],
  partners: [],
  api_keys: [],
  partner_users: ['booking_operator'],
  providers: ['booking_operator'],
  notifications: ['booking_worker'],
  slot_claims: ['booking_worker'],
};

describe('the roles of the database', () => {
  let databaseUrl: string;
  let client: pg.Client;
  beforeAll(async () => {
    databaseUrl = await createTestDatabase();
    client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
  });
  afterAll(() => client.end());

  const rows = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows;

  /** Which of the roles a condition holds for. */
  const rolesWith = async (condition: string, ...values: string[]): Promise<string[]> => {
    const found = await rows<{ role: string }>(
      `SELECT role FROM unnest($1::text[]) WITH ORDINALITY AS r (role, place) WHERE ${condition} ORDER BY place`,
      [ROLES, ...values],
    );
    return found.map(({ role }) => role);
  };

  it('are no superusers, make no roles or databases, pass no row security, and are in no other role', async () => {
    const found = await rows(
      `SELECT rolname FROM pg_roles WHERE rolname LIKE 'booking\\_%'
         AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
              OR EXISTS (SELECT FROM pg_auth_members WHERE member = pg_roles.oid))`,
    );
    expect(found).toEqual([]);
  });

  it('have no statement compiled, which takes longer than any of theirs', async () => {
    const settings = await Promise.all(
      ROLES.map(async (role) => {
        const as = new pg.Client({ connectionString: asRole(databaseUrl, role) });
        await as.connect();
        const { rows } = await as.query<{ jit: string }>('SHOW jit');
        await as.end();
        return rows[0]?.jit;
      }),
    );
    expect(settings).toEqual(ROLES.map(() => 'off'));
  });

  it('all belongs to the owner, as whom no process of ours logs in', async () => {
    const owners = await rows(
      `SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S', 'v')`,
    );
    expect(owners).toEqual([{ owner: 'booking_owner' }]);
    expect(await rolesWith(`has_schema_privilege(role, 'public', 'CREATE')`)).toEqual([]);
  });

  it('nobody empties a table, hangs a trigger on it, refers to it, or reads what was migrated', async () => {
    const found = await rows(
      `SELECT role, relname FROM unnest($1::text[]) AS role, pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND (has_table_privilege(role, pg_class.oid, 'TRUNCATE, TRIGGER, REFERENCES')
              OR (relname = 'migrations' AND has_any_column_privilege(role, pg_class.oid, 'SELECT, UPDATE')))`,
      [ROLES],
    );
    expect(found).toEqual([]);
  });

  it('every table is for one of the processes, and none for everybody', async () => {
    const unused = await rows(
      `SELECT relname FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'migrations'
         AND NOT relispartition
         AND NOT EXISTS (SELECT FROM unnest($1::text[]) AS role
                         WHERE has_any_column_privilege(role, pg_class.oid, 'SELECT, INSERT'))`,
      [PROCESSES],
    );
    const everybodys = await rows(
      `SELECT table_name FROM information_schema.role_table_grants
       WHERE grantee = 'PUBLIC' AND table_schema = 'public'`,
    );
    expect([unused, everybodys]).toEqual([[], []]);
  });

  it.each(LOGS)('%s only grows', async (table) => {
    const changing = `has_any_column_privilege(role, $2, 'UPDATE') OR has_table_privilege(role, $2, 'DELETE, TRUNCATE')`;
    expect(await rolesWith(changing, table)).toEqual([]);
  });

  it.each(LOGS)('when and where in the chain a row of %s is, its writer does not say', async (table) => {
    for (const column of ['number', 'previous', 'hash', 'at'])
      expect(await rolesWith(`has_column_privilege(role, $2, $3, 'INSERT')`, table, column)).toEqual([]);
    expect(await rolesWith(`has_any_column_privilege(role, 'log_heads', 'INSERT, UPDATE')`)).toEqual([]);
  });

  it('nobody adds to the access log but by the function that chains it', async () => {
    expect(await rolesWith(`has_any_column_privilege(role, 'access_log', 'INSERT')`)).toEqual([]);
    const noting = `has_function_privilege(role, 'note_access(jsonb, boolean)', 'EXECUTE')`;
    expect(await rolesWith(noting)).toEqual(PROCESSES);
  });

  it.each(Object.entries(SECRETS))('%s is read by %j alone', async (place, roles) => {
    const [, table = '', column = ''] = /^(.+)\.(\w+)$/.exec(place) ?? [];
    expect(await rolesWith(`has_column_privilege(role, $2, $3, 'SELECT')`, table, column)).toEqual(roles);
  });

  it.each(Object.entries(CHANGED_BY))('%s is changed by %j alone', async (place, roles) => {
    const [, table = '', column = ''] = /^(.+)\.(\w+)$/.exec(place) ?? [];
    expect(await rolesWith(`has_column_privilege(role, $2, $3, 'UPDATE')`, table, column)).toEqual(roles);
  });

  it.each(Object.entries(DELETED_BY))('rows of %s are deleted by %j alone', async (table, roles) => {
    expect(await rolesWith(`has_table_privilege(role, $2, 'DELETE')`, table)).toEqual(roles);
  });

  it('whoever looks into the logs changes nothing, and sees nothing personal of a case', async () => {
    const columns = await rows<{ place: string }>(
      `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name NOT LIKE ALL (ARRAY['operator\\_%', 'access\\_log%', 'log\\_heads'])
         AND has_column_privilege('booking_auditor', quote_ident(table_name), column_name, 'SELECT') ORDER BY 1`,
    );
    const seen = ['created_at', 'id', 'partner_id', 'status'];
    expect(columns.map(({ place }) => place)).toEqual([
      ...seen.map((column) => `cases.${column}`),
      ...['partners.id', 'partners.name'],
    ]);
    const writes = `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND (has_any_column_privilege('booking_auditor', oid, 'INSERT, UPDATE')
           OR has_table_privilege('booking_auditor', oid, 'DELETE'))`;
    expect(await rows(writes)).toEqual([]);
  });

  it('PostgreSQL refuses what is not granted', async () => {
    const as = new pg.Client({ connectionString: asRole(databaseUrl, 'booking_operator') });
    await as.connect();
    await expect(as.query('UPDATE operator_log SET note = NULL')).rejects.toThrow('permission denied');
    await expect(as.query('SELECT * FROM partner_users')).rejects.toThrow('permission denied');
    await expect(as.query('ALTER ROLE booking_operator SUPERUSER')).rejects.toThrow('permission denied');
    await as.end();
  });
});
