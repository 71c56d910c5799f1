#!/bin/sh
# Installs RTMS on one Debian machine as systemd services, with the distribution's PostgreSQL and NATS. Run it again to upgrade:
# it keeps settings and secrets in /etc/rtms.
#
#   deploy/systemd/install.sh [--dry-run] [--address 203.0.113.7] [--url https://rtms.example.com]
#
#   --dry-run   prints each action, and changes nothing
#   --address   address of this machine for media; default: 127.0.0.1
#   --url       address of a reverse proxy with TLS; default: each service's own port at --address
#
# ROOT names a directory instead of / for files. With ROOT no command runs that changes the machine.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
root=${ROOT:-}
is_dry=no address=127.0.0.1 url=

while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) is_dry=yes ;;
    --address) address=${2:?--address needs an address}; shift ;;
    --url) url=${2:?--url needs an address}; shift ;;
    *) echo "install.sh: unknown option $1. Use --dry-run, --address or --url." >&2; exit 2 ;;
  esac
  shift
done
case $address in *[!0-9A-Za-z.:-]*) echo "install.sh: --address must be an address or a name" >&2; exit 2 ;; esac
case $url in '' | http://* | https://*) ;; *) echo "install.sh: --url must begin with https:// or http://" >&2; exit 2 ;; esac

# run COMMAND…: changes the machine.
run() {
  if [ "$is_dry" = yes ]; then echo "run     $*"; elif [ -z "$root" ]; then "$@"; fi
}

# put MODE PATH: writes standard input to a file.
put() {
  if [ "$is_dry" = yes ]; then cat >/dev/null; echo "write   $2 ($1)"; return; fi
  mkdir -p "$(dirname "$root$2")"
  (umask 077 && cat >"$root$2.new")
  chmod "$1" "$root$2.new"
  mv "$root$2.new" "$root$2"
}

# keep PATH: writes standard input to a file of secrets, unless it exists.
keep() {
  if [ -s "$root$1" ]; then cat >/dev/null; echo "keep    $1"; else put 600 "$1"; fi
}

password() { printf 'p%s' "$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')"; }
# of FILE NAME: the value of a variable in an existing file of settings.
of() { sed -n "s/^$2=//p" "$root/etc/rtms/$1.env" 2>/dev/null | tail -n 1; }
# kept FILE NAME: that value, or a new password.
kept() { value=$(of "$1" "$2"); printf '%s' "${value:-$(password)}"; }
public() { printf '%s' "${url:-http://$address:$1}"; }

if [ "$is_dry" = no ] && [ -z "$root" ]; then
  [ "$(id -u)" = 0 ] || { echo "install.sh: run it as root, or with --dry-run" >&2; exit 1; }
  for program in node npm psql nats-server ffmpeg runuser systemctl; do
    command -v "$program" >/dev/null ||
      { echo "install.sh: $program is missing. Install Node.js 24, then: apt-get install postgresql nats-server ffmpeg" >&2; exit 1; }
  done
fi

# Settings. HOST is the loopback address behind a reverse proxy.
host=$([ -n "$url" ] || [ "$address" = 127.0.0.1 ] && echo 127.0.0.1 || echo 0.0.0.0)
proxies=$([ -z "$url" ] || echo loopback)
for user in gateway sfu transcoder; do
  eval "nats_$user=\$(kept nats NATS_$(echo $user | tr a-z A-Z)_PASSWORD)"
done
owner=$(kept migrate OWNER_PASSWORD)
serving=$(kept migrate SERVING_PASSWORD)
database=127.0.0.1:5432/rtms

keep /etc/rtms/nats.env <<END
NATS_GATEWAY_PASSWORD=$nats_gateway
NATS_SFU_PASSWORD=$nats_sfu
NATS_TRANSCODER_PASSWORD=$nats_transcoder
END
keep /etc/rtms/migrate.env <<END
OWNER_PASSWORD=$owner
SERVING_PASSWORD=$serving
DATABASE_OWNER_URL=postgresql://rtms:$owner@$database
DATABASE_URL=postgresql://rtms_gateway:$serving@$database
END
common="NODE_ENV=production
HOST=$host
TRUSTED_PROXIES=$proxies
NATS_URL=nats://127.0.0.1:4222"
keep /etc/rtms/gateway.env <<END
$common
PUBLIC_URL=$(public 4000)
MANAGEMENT_PORT=9400
DATABASE_URL=postgresql://rtms_gateway:$serving@$database
NATS_USER=gateway
NATS_PASSWORD=$nats_gateway
RTMS_SECRET_KEY=$(head -c 32 /dev/urandom | base64)
RTMS_ADMIN_TOKEN=$(password)
MEDIA_NODE_ADDRESSES=$(public 4001 | sed 's|^[a-z]*://||; s|[:/].*||')
MEDIA_NODE_INTERNAL_ADDRESSES=127.0.0.1
END
keep /etc/rtms/sfu.env <<END
$common
RTMS_NODE_ID=sfu-1
PUBLIC_URL=$(public 4001)
INTERNAL_URL=http://127.0.0.1:4001
MANAGEMENT_PORT=9401
NATS_USER=sfu
NATS_PASSWORD=$nats_sfu
MEDIASOUP_WORKER_BIN=/opt/rtms/bin/mediasoup-worker
RTC_LISTEN_IP=$([ "$address" = 127.0.0.1 ] && echo 127.0.0.1 || echo 0.0.0.0)
RTC_ANNOUNCED_ADDRESS=$address
RTC_PORT=50000
END
keep /etc/rtms/transcoder.env <<END
$common
RTMS_NODE_ID=transcoder-1
PUBLIC_URL=$(public 4002)
INTERNAL_URL=http://127.0.0.1:4002
MANAGEMENT_PORT=9402
NATS_USER=transcoder
NATS_PASSWORD=$nats_transcoder
MEDIA_DIR=/var/lib/rtms/media
RECORDINGS_DIR=/var/lib/rtms/recordings
END

# Programs, as in the images.
id rtms >/dev/null 2>&1 || run useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin rtms
run npm --prefix "$source" ci
run npm --prefix "$source" run build
run mkdir -p /opt/rtms/bin
run "$source/tools/mediasoup-worker/build.sh" "$source/node_modules/mediasoup" /opt/rtms/bin/mediasoup-worker
for service in gateway sfu transcoder; do
  run rm -rf "/opt/rtms/$service.new" "/opt/rtms/$service.old"
  run node "$source/tools/images/lay-out.mjs" "$service" "/opt/rtms/$service.new"
  run npm --prefix "/opt/rtms/$service.new" install --omit=dev
  [ ! -e "/opt/rtms/$service" ] || run mv "/opt/rtms/$service" "/opt/rtms/$service.old"
  run mv "/opt/rtms/$service.new" "/opt/rtms/$service"
done

# Units and servers.
for unit in rtms-migrate rtms-gateway rtms-sfu rtms-transcoder; do
  put 644 "/etc/systemd/system/$unit.service" <"$here/$unit.service"
done
put 644 /etc/rtms/nats/nats-server.conf <"$here/nats-server.conf"
put 644 /etc/rtms/nats/authorization.conf <"$source/deploy/nats/authorization.conf"
put 644 /etc/systemd/system/nats-server.service.d/rtms.conf <"$here/nats-server-drop-in.conf"

# database: makes the owner and the database; the migrations make the role of the gateways. psql reads the password from its input.
database() {
  printf "SELECT 'CREATE ROLE rtms LOGIN CREATEROLE' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'rtms')\\\\gexec
ALTER ROLE rtms PASSWORD '%s';
SELECT 'CREATE DATABASE rtms OWNER rtms' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'rtms')\\\\gexec\n" "$owner" |
    runuser -u postgres -- psql -q -v ON_ERROR_STOP=1
}
run systemctl daemon-reload
run systemctl enable --now postgresql.service
run database
run systemctl enable nats-server.service rtms-gateway.service rtms-sfu.service rtms-transcoder.service
run systemctl restart nats-server.service rtms-migrate.service rtms-gateway.service rtms-sfu.service rtms-transcoder.service
[ "$is_dry" = yes ] || echo "Gateway: $(public 4000). Administrator's token: RTMS_ADMIN_TOKEN in /etc/rtms/gateway.env"
