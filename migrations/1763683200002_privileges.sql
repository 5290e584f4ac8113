-- Up Migration

-- Who may do what. Whoever adds a table, a column or a statement says here which process needs it: what is not named is
-- refused ("permission denied"). test/postgres/roles.test.ts has what nobody may be granted. The roles are made by
-- src/postgres/roles.sql, and none of them owns anything or can make a table.

REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO booking_api, booking_worker, booking_operator, booking_auditor;

-- What cases are sealed by: whoever opens them reads it, and deletes none.
REVOKE ALL ON SCHEMA keys FROM PUBLIC;
GRANT USAGE ON SCHEMA keys TO booking_api, booking_worker, booking_operator;
GRANT SELECT ON keys.data_keys, keys.search_key TO booking_api, booking_worker, booking_operator;
-- Wrapped anew by another master key.
GRANT UPDATE (wrapped) ON keys.data_keys, keys.search_key TO booking_operator;
GRANT SELECT ON keys.erasures TO booking_operator;
REVOKE ALL ON FUNCTION erase_case, person_of, take_room FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_case TO booking_worker, booking_operator;
GRANT EXECUTE ON FUNCTION person_of TO booking_api;
GRANT EXECUTE ON FUNCTION take_room TO booking_worker;
-- By which secrets people are known, and which of them are known no more; nobody reads the hashes.
GRANT SELECT (id, secret_id, seen_at) ON persons TO booking_api, booking_worker, booking_operator;
GRANT DELETE ON persons TO booking_worker;
GRANT INSERT ON keys.data_keys TO booking_api, booking_operator;
GRANT INSERT ON keys.search_key TO booking_api, booking_worker, booking_operator;

-- The API: what partners and customers ask for ------------------------------------------------------------------------

GRANT SELECT ON partners, api_keys, partner_users, access_tokens, partner_user_networks, login_failures,
  treatment_types, providers, provider_treatments, provider_findings, cases, case_texts, case_corrections, case_persons,
  customer_sessions, case_verifications, case_quotas, bookings, slot_claims, notifications, events, idempotency_keys,
  rate_counts, partner_requests, test_messages, test_bounces, test_refusals TO booking_api;
GRANT INSERT ON api_keys, access_tokens, partner_user_networks, login_failures, account_mails, provider_findings, cases,
  case_texts, case_corrections, case_persons, customer_sessions, case_verifications, case_quotas, events,
  idempotency_keys, rate_counts, partner_requests, test_bounces, test_refusals TO booking_api;
GRANT DELETE ON access_tokens, partner_user_networks, login_failures, case_corrections, customer_sessions, case_quotas,
  idempotency_keys, rate_counts, partner_requests, test_refusals TO booking_api;
GRANT UPDATE ON partner_user_networks, provider_findings, case_verifications, idempotency_keys, rate_counts,
  test_bounces, test_refusals TO booking_api;
GRANT UPDATE (last_event) ON partners TO booking_api;
GRANT UPDATE (number) ON events TO booking_api;
GRANT UPDATE (circuit_open_since, circuit_answer) ON providers TO booking_api;
GRANT UPDATE (last_used_at, replaced_until, revoked_at) ON api_keys TO booking_api;
GRANT UPDATE (password_hash, activation_hash, activation_expires_at, activated_at, one_time_secret, one_time_step)
  ON partner_users TO booking_api;
-- What the workflow says of a case, only the worker writes.
GRANT UPDATE (customer_language, updated_at) ON cases TO booking_api;
GRANT UPDATE (signalled_at) ON case_texts TO booking_api;
GRANT UPDATE (status, reason, reference, at, unsignalled) ON notifications TO booking_api;

-- The worker: the cases' life -----------------------------------------------------------------------------------------

GRANT SELECT ON partners, treatment_types, providers, provider_treatments, provider_findings, cases, case_texts,
  case_corrections, case_persons, customer_sessions, case_verifications, case_quotas, bookings, slot_claims,
  booking_failures, notifications, message_quotas, attention, alerts, events, account_mails, reconciliations, restores,
  test_messages, test_bounces, test_refusals TO booking_worker;
-- Of whom it writes to the address alone; of what it only deletes with age, when that was.
GRANT SELECT (id, partner_id, email) ON partner_users TO booking_worker;
GRANT SELECT (expires_at, replaced_until, revoked_at, last_used_at) ON api_keys TO booking_worker;
GRANT SELECT (created_at) ON idempotency_keys TO booking_worker;
GRANT SELECT (started_at) ON operator_sessions TO booking_worker;
-- That somebody came in by break-glass.
GRANT SELECT (at, operator, via) ON operator_log TO booking_worker;
GRANT INSERT ON provider_findings, bookings, slot_claims, booking_failures, notifications, message_quotas, attention,
  alerts, events, reconciliations, test_messages TO booking_worker;
GRANT UPDATE ON provider_findings, cases, case_texts, bookings, slot_claims, booking_failures, notifications,
  message_quotas, attention, alerts, test_messages, test_refusals TO booking_worker;
GRANT UPDATE (watched_at, watched_until, watched_booking, unwatched_answer, circuit_open_since, circuit_answer)
  ON providers TO booking_worker;
GRANT SELECT, INSERT, UPDATE ON case_checks TO booking_worker;
GRANT SELECT ON case_checks TO booking_operator;
GRANT SELECT, UPDATE ON reconcile_place TO booking_worker;
GRANT UPDATE (due_at) ON account_mails TO booking_worker;
GRANT DELETE ON provider_findings, case_corrections, customer_sessions, case_quotas, case_verifications, slot_claims,
  booking_failures, notifications, message_quotas, attention, alerts, account_mails, idempotency_keys, operator_sessions,
  reconciliations, test_messages TO booking_worker;

-- The operator API ----------------------------------------------------------------------------------------------------

GRANT SELECT ON partners, login_failures, treatment_types, providers, provider_treatments, provider_findings, cases,
  case_texts, case_corrections, case_persons, customer_sessions, case_verifications, case_quotas, bookings, slot_claims,
  booking_failures, notifications, attention, alerts, events, account_mails, reconciliations, restores, rate_counts,
  operator_log,
  operator_log_outcomes, operator_requests, operator_sessions,
  test_bounces, test_refusals TO booking_operator;
-- Nobody's key, password, token or second factor.
GRANT SELECT (id, partner_id, name, hint, created_at, last_used_at, expires_at, replaced_until, revoked_at, scopes,
  allowed_networks) ON api_keys TO booking_operator;
GRANT SELECT (id, partner_id, email, created_at, activated_at, activation_expires_at, suspended_at)
  ON partner_users TO booking_operator;
GRANT SELECT (user_id) ON access_tokens TO booking_operator;
-- Cases: those that a partner hands over in a file.
GRANT INSERT ON partners, api_keys, partner_users, account_mails, treatment_types, providers, provider_treatments,
  provider_findings, cases, case_texts, case_corrections, case_verifications, case_quotas, attention, events, rate_counts,
  operator_requests, operator_sessions, restores TO booking_operator;
GRANT UPDATE (finished_at) ON restores TO booking_operator;
GRANT UPDATE ON treatment_types, providers, provider_findings, case_verifications, attention, rate_counts,
  operator_sessions TO booking_operator;
GRANT UPDATE (name, suspended_at, reference_key, retention_months, last_event) ON partners TO booking_operator;
GRANT SELECT, UPDATE ON SEQUENCE events_place_seq TO booking_operator;
GRANT UPDATE (replaced_until, revoked_at) ON api_keys TO booking_operator;
GRANT UPDATE (password_hash, activation_hash, activation_expires_at, one_time_secret, one_time_step, suspended_at)
  ON partner_users TO booking_operator;
GRANT UPDATE (updated_at, workflow_lost, workflow_lost_at, legal_hold_at, legal_hold_by) ON cases TO booking_operator;
GRANT UPDATE (signalled_at) ON case_texts TO booking_operator;
GRANT UPDATE (unbound_at, unbound_by, sealed_reason, readmitted_at, readmitted_by) ON case_persons TO booking_operator;
GRANT UPDATE (granted_at, granted_by, granted_by_subject) ON operator_requests TO booking_operator;
GRANT DELETE ON partner_users, access_tokens, login_failures, providers, provider_treatments, provider_findings,
  case_corrections, customer_sessions, case_verifications, case_quotas, rate_counts, operator_sessions TO booking_operator;

-- The logs: added to, and neither when nor where in the chain --------------------------------------------------------------

GRANT SELECT ON access_log TO booking_api, booking_worker, booking_operator;
GRANT INSERT (operator, operator_subject, via, granted_by, action, case_id, subject, note, sealed_note, ticket)
  ON operator_log TO booking_operator;
GRANT INSERT (id, outcome) ON operator_log_outcomes TO booking_operator;
GRANT SELECT ON log_heads TO booking_operator, booking_auditor;
REVOKE ALL ON FUNCTION keep_access_log, chain_log, note_access FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keep_access_log TO booking_worker;
GRANT EXECUTE ON FUNCTION note_access TO booking_api, booking_worker, booking_operator;

-- Whoever looks into the logs: ids, and nothing personal of a case ------------------------------------------------------

GRANT SELECT ON access_log, operator_log, operator_log_outcomes, operator_requests TO booking_auditor;
GRANT SELECT (id, name) ON partners TO booking_auditor;
GRANT SELECT (id, partner_id, status, created_at) ON cases TO booking_auditor;

-- Partners' reads: a second lock behind the queries (decision 0125) ------------------------------------------------------

-- Whoever logs in as booking_partner sees nothing until it says for which partner it asks, by a setting of its statement or
-- transaction, and then that one's rows alone, whatever a query forgets.
GRANT USAGE ON SCHEMA public, keys TO booking_partner;
GRANT SELECT ON cases, case_texts, case_verifications, bookings, notifications, events, partner_requests, treatment_types
  TO booking_partner;
GRANT SELECT (id, name, last_event) ON partners TO booking_partner;
GRANT SELECT (id, name) ON providers TO booking_partner;
GRANT SELECT (case_id, unbound_at) ON case_persons TO booking_partner;
GRANT SELECT ON keys.data_keys TO booking_partner;
-- The numbers of its feed are given as it is read.
GRANT UPDATE (number) ON events TO booking_partner;
GRANT UPDATE (last_event) ON partners TO booking_partner;

CREATE FUNCTION is_shown(its uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM cases WHERE id = its);
END $$;

DO $$
DECLARE
  -- once for each statement, and unknown to the planner, which would take an absent one for no rows
  asking CONSTANT text := '(SELECT current_setting(''booking.partner'', true))';
  its record;
BEGIN
  FOR its IN SELECT * FROM (VALUES
    ('partners', 'id = %s'), ('cases', 'partner_id = %s'), ('events', 'partner_id = %s'),
    ('partner_requests', 'partner_id = %s'), ('keys.data_keys', 'partner_id = %s'),
    -- of a case that it is shown
    ('case_texts', NULL), ('case_persons', NULL), ('case_verifications', NULL), ('bookings', NULL),
    ('notifications', NULL)
  ) AS locked (name, rows)
  LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', its.name);
    EXECUTE format('CREATE POLICY all_partners ON %s TO booking_api, booking_worker, booking_operator, booking_auditor
      USING (true) WITH CHECK (true)', its.name);
    EXECUTE format('CREATE POLICY one_partner ON %s TO booking_partner USING (%s)', its.name,
      coalesce(format(its.rows, asking), 'is_shown(case_id)'));
  END LOOP;
END $$;
