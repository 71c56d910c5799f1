#!/bin/sh
# Starts coturn as a relay to SFU nodes and to nothing else, with credentials that the SFU nodes mint (use-auth-secret).
# The secret goes to a file that only this user reads, so that no list of processes shows it.
#
#   TURN_SECRET_FILE       the secret that the SFU nodes have as TURN_SECRET
#   TURN_PEERS             addresses that SFU nodes announce, and networks as first-last, with blanks between them
#   TURN_CERT_FILE, TURN_KEY_FILE   certificate for `turns:`; unset: no TLS
#   TURN_LISTEN_IP, TURN_PORT, TURN_TLS_PORT, TURN_RELAYS   default: every address, 3478, 5349, 800 relays at once
#   TURN_RUN_DIR           a directory for the configuration; default: /tmp
set -eu
umask 077
: "${TURN_SECRET_FILE:?names the file with the secret}" "${TURN_PEERS:?lists the addresses of the SFU nodes}"
folder=${TURN_RUN_DIR:-/tmp}
cert=${TURN_CERT_FILE:-} key=${TURN_KEY_FILE:-}

# A certificate that is issued while this starts.
if [ -n "$cert" ]; then
  waited=0
  until [ -r "$cert" ] && [ -r "$key" ]; do
    [ "$waited" -lt 300 ] || { echo "$cert or $key cannot be read after 300 s" >&2; exit 1; }
    sleep 1
    waited=$((waited + 1))
  done
fi

{
  echo "use-auth-secret"
  echo "static-auth-secret=$(cat "$TURN_SECRET_FILE")"
  echo "realm=rtms"
  echo "listening-port=${TURN_PORT:-3478}"
  if [ -n "${TURN_LISTEN_IP:-}" ]; then
    echo "listening-ip=$TURN_LISTEN_IP"
    echo "relay-ip=$TURN_LISTEN_IP"
  fi
  if [ -n "$cert" ]; then
    echo "tls-listening-port=${TURN_TLS_PORT:-5349}"
    echo "cert=$cert"
    echo "pkey=$key"
    echo "no-tlsv1"
    echo "no-tlsv1_1"
  else
    echo "no-tls"
  fi
  echo "no-dtls"
  echo "fingerprint"
  echo "stale-nonce=600"
  echo "total-quota=${TURN_RELAYS:-800}"
  # A browser allocates for each network interface and URL.
  echo "user-quota=12"
  echo "no-cli"
  echo "no-tcp-relay"
  echo "no-multicast-peers"
  echo "denied-peer-ip=0.0.0.0-255.255.255.255"
  echo "denied-peer-ip=::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
  for peer in $TURN_PEERS; do
    case $peer in 127.*) echo "allow-loopback-peers" ;; esac
    echo "allowed-peer-ip=$peer"
  done
  echo "userdb=$folder/turndb"
  echo "pidfile=$folder/turnserver.pid"
  echo "log-file=stdout"
  echo "simple-log"
} >"$folder/turnserver.conf"

# coturn reads a renewed certificate at SIGUSR2.
if [ -n "$cert" ]; then
  while sleep "${TURN_CERT_SECONDS:-60}" && kill -0 $$; do
    if [ "$cert" -nt "$folder/turnserver.conf" ]; then
      touch "$folder/turnserver.conf"
      kill -USR2 $$
    fi
  done </dev/null >/dev/null 2>&1 &
fi
exec turnserver -c "$folder/turnserver.conf"
