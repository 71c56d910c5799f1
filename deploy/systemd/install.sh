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
      { echo "install.sh: $program is missing. Install Node.js 24, then: apt-get install postgresql nats-server ffmpeg fonts-dejavu-core" >&2; exit 1; }
  done
fi

# Settings. HOST is the loopback address behind a reverse proxy.
host=$([ -n "$url" ] || [ "$address" = 127.0.0.1 ] && echo 127.0.0.1 || echo 0.0.0.0)
proxies=$([ -z "$url" ] || echo loopback)
owner=$(kept migrate OWNER_PASSWORD)
serving=$(kept migrate SERVING_PASSWORD)
database=127.0.0.1:5432/rtms
nats_gateway=$(kept nats NATS_GATEWAY_PASSWORD)
nats_sfu=$(kept nats NATS_SFU_PASSWORD)
nats_transcoder=$(kept nats NATS_TRANSCODER_PASSWORD)
nats_ingest=$(kept nats NATS_INGEST_PASSWORD)

# settings SERVICE PORT NATS_PASSWORD: keeps or writes its settings. Standard input has those that others lack.
settings() {
  keep "/etc/rtms/$1.env" <<END
NODE_ENV=production
HOST=$host
TRUSTED_PROXIES=$proxies
PUBLIC_URL=$(public "$2")
MANAGEMENT_PORT=$(($2 + 5400))
NATS_URL=nats://127.0.0.1:4222
NATS_USER=$1
NATS_PASSWORD=$3
$(cat)
END
}
# settings_of_node SERVICE PORT NATS_PASSWORD: the same, for a media node.
settings_of_node() {
  { printf 'RTMS_NODE_ID=%s-1\nINTERNAL_URL=http://127.0.0.1:%s\n' "$1" "$2" && cat; } | settings "$@"
}

keep /etc/rtms/nats.env <<END
NATS_GATEWAY_PASSWORD=$nats_gateway
NATS_SFU_PASSWORD=$nats_sfu
NATS_TRANSCODER_PASSWORD=$nats_transcoder
NATS_INGEST_PASSWORD=$nats_ingest
END
# A version before the ingest service wrote the file without its password.
if [ "$is_dry" = no ] && [ -z "$(of nats NATS_INGEST_PASSWORD)" ]; then
  echo "NATS_INGEST_PASSWORD=$nats_ingest" >>"$root/etc/rtms/nats.env"
fi
keep /etc/rtms/migrate.env <<END
OWNER_PASSWORD=$owner
SERVING_PASSWORD=$serving
DATABASE_OWNER_URL=postgresql://rtms:$owner@$database
DATABASE_URL=postgresql://rtms_gateway:$serving@$database
END
settings gateway 4000 "$nats_gateway" <<END
DATABASE_URL=postgresql://rtms_gateway:$serving@$database
RTMS_SECRET_KEY=$(head -c 32 /dev/urandom | base64)
RTMS_ADMIN_TOKEN=$(password)
MEDIA_NODE_ADDRESSES=$(public 4001 | sed 's|^[a-z]*://||; s|[:/].*||')
MEDIA_NODE_INTERNAL_ADDRESSES=127.0.0.1
END
settings_of_node sfu 4001 "$nats_sfu" <<END
MEDIASOUP_WORKER_BIN=/opt/rtms/bin/mediasoup-worker
RTC_LISTEN_IP=$([ "$address" = 127.0.0.1 ] && echo 127.0.0.1 || echo 0.0.0.0)
RTC_ANNOUNCED_ADDRESS=$address
RTC_PORT=50000
END
settings_of_node transcoder 4002 "$nats_transcoder" <<END
MEDIA_DIR=/var/lib/rtms/media
RECORDINGS_DIR=/var/lib/rtms/recordings
END
# An encoder reaches the ports of SRT and RTMP directly, also behind a reverse proxy.
settings_of_node ingest 4003 "$nats_ingest" <<END
ENCODER_HOST=$([ "$address" = 127.0.0.1 ] && echo 127.0.0.1 || echo 0.0.0.0)
END

# Programs, as in the images.
id rtms >/dev/null 2>&1 || run useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin rtms
run npm --prefix "$source" ci
run npm --prefix "$source" run build
run mkdir -p /opt/rtms/bin
run "$source/tools/mediasoup-worker/build.sh" "$source/node_modules/mediasoup" /opt/rtms/bin/mediasoup-worker
for service in gateway sfu transcoder ingest; do
  run rm -rf "/opt/rtms/$service.new" "/opt/rtms/$service.old"
  run node "$source/tools/images/lay-out.mjs" "$service" "/opt/rtms/$service.new"
  run npm --prefix "/opt/rtms/$service.new" install --omit=dev
  [ ! -e "/opt/rtms/$service" ] || run mv "/opt/rtms/$service" "/opt/rtms/$service.old"
  run mv "/opt/rtms/$service.new" "/opt/rtms/$service"
done

# Units and servers.
for unit in rtms-migrate rtms-gateway rtms-sfu rtms-transcoder rtms-ingest; do
  put 644 "/etc/systemd/system/$unit.service" <"$here/$unit.service"
done
put 644 /etc/rtms/nats/nats-server.conf <"$here/nats-server.conf"
put 644 /etc/rtms/nats/authorization.conf <"$source/deploy/nats/authorization.conf"
put 644 /etc/systemd/system/nats-server.service.d/rtms.conf <"$here/nats-server-drop-in.conf"

# database: runs in /, because the user postgres may not enter the checkout of another one.
database() {
  (cd / && OWNER_PASSWORD=$owner SERVING_PASSWORD=$serving runuser -u postgres -- psql -q -v ON_ERROR_STOP=1) <"$here/database.sql"
}
run systemctl daemon-reload
run systemctl enable --now postgresql.service
run database
run systemctl enable nats-server.service rtms-gateway.service rtms-sfu.service rtms-transcoder.service rtms-ingest.service
run systemctl restart nats-server.service rtms-migrate.service rtms-gateway.service rtms-sfu.service rtms-transcoder.service rtms-ingest.service
[ "$is_dry" = yes ] || echo "Gateway: $(public 4000). Administrator's token: RTMS_ADMIN_TOKEN in /etc/rtms/gateway.env"
