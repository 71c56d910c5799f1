#!/bin/sh
# Makes the files that docker-compose.yml takes its secrets from. What is there already is kept: without its secret key a
# database is of no use, and PostgreSQL takes its password only when its volume is new.
#
#   deploy/docker/make-secrets.sh                 makes what is missing
#
# SECRETS_DIR: where they go; default: secrets/ beside this script.
set -eu
folder=${SECRETS_DIR:-$(cd "$(dirname "$0")" && pwd)/secrets}

# Only this user may enter the folder. In it each file can be read by all, as each is mounted alone, into the containers
# of those who need it, whose users have other numbers than this one.
mkdir -p "$folder"
chmod 700 "$folder"
umask 077

# keep NAME: writes standard input to a file that is not there yet.
keep() {
  if [ -s "$folder/$1" ]; then cat >/dev/null; return; fi
  cat >"$folder/$1.new"
  chmod 444 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
  echo "made $folder/$1"
}

random() { head -c "$1" /dev/urandom; }
hex() { random "$1" | od -An -tx1 | tr -d ' \n'; }
# nats-server reads its variables as it reads its configuration, so a password begins with a letter.
password() { printf 'p%s' "$(hex 24)"; }

random 32 | base64 | keep secret_key
hex 32 | keep admin_token
password | keep postgres_password
printf 'postgresql://rtms:%s@postgres:5432/rtms' "$(cat "$folder/postgres_password")" | keep database_url
printf 'postgresql://rtms_gateway:%s@postgres:5432/rtms' "$(password)" | keep database_serving_url
for user in gateway sfu transcoder ingest; do password | keep "nats_${user}_password"; done
password | keep grafana_password

password | keep turn_secret
