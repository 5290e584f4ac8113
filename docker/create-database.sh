#!/bin/sh
# Run by PostgreSQL's image at its very first start: the roles of our processes, each with the password that its address
# has, and their database. Later, ALTER ROLE … PASSWORD.
set -eu
sql() { psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres "$@"; }
sql --file /roles.sql
for role in owner api partner worker operator; do
  address=$(cat "/run/secrets/${role}_database_url")
  credentials=${address#*://}
  credentials=${credentials%%@*}
  # by the environment: arguments are seen by others
  PASSWORD=${credentials#*:} sql --set role="booking_$role" <<'SQL'
\getenv password PASSWORD
ALTER ROLE :"role" PASSWORD :'password';
SQL
done
sql --command 'CREATE DATABASE booking OWNER booking_owner'
