#!/bin/sh
# Makes a role and a database of its own for each service; the image of PostgreSQL runs it once.
set -eu
make() {
  psql --username postgres --set ON_ERROR_STOP=1 --set role="$1" --set password="$2" <<'SQL'
CREATE ROLE :"role" LOGIN PASSWORD :'password';
CREATE DATABASE :"role" OWNER :"role" ENCODING 'UTF8' TEMPLATE template0;
SQL
}
make platform "$PLATFORM_DATABASE_PASSWORD"
make dashboard "$DASHBOARD_DATABASE_PASSWORD"
make studio "$STUDIO_DATABASE_PASSWORD"
make provider "$PROVIDER_DATABASE_PASSWORD"
