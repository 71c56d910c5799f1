import type { Clock } from '@rtms/clock';
import {
  connect,
  errors,
  usernamePasswordAuthenticator,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node';
import { BusRefusedError } from './bus-errors.js';
import { parseServers } from './nats-servers.js';
import { findTlsRefusal } from './tls-refusal.js';
import { untilReachable } from './until-reachable.js';

const defaultConnectTimeoutMs = 30_000;
const attemptMs = 8_000;

export interface NatsAddress {
  /** e.g. `nats://127.0.0.1:4222` or `nats://user:password@bus:4222`; several with commas between. */
  url: string;
  /** Wins over one in the URL. */
  user?: string;
  /** A function is asked for each connection, and may answer another one later. */
  password?: string | (() => string);
  /** PEM files: who signed the server's certificate; our own certificate and its key. */
  caFile?: string;
  certFile?: string;
  keyFile?: string;
  /** Shown by the server for this connection. */
  name: string;
  /** What this client is: replies to it come to subjects that only such services may read. */
  service?: string;
  /** How long to wait for the first connection; default 30,000. */
  connectTimeoutMs?: number;
}

/** Waits for a server that cannot be reached yet, but not for a server that refuses us: a refusal does not pass. */
export async function openConnection(address: NatsAddress, clock: Clock): Promise<NatsConnection> {
  const options = connectionOptions(address);
  const attempt = (): Promise<NatsConnection> =>
    connect(options).catch(async (error: unknown) => {
      throw await explainLost(error, options, address.user ?? options.user, clock);
    });
  const timeoutMs = address.connectTimeoutMs ?? defaultConnectTimeoutMs;
  return untilReachable(attempt, { clock, timeoutMs, isFinal: error => error instanceof BusRefusedError });
}

/** What a server says against our certificate may be lost: the client then only times out, or tells of a reset. */
async function explainLost(
  error: unknown,
  options: ConnectionOptions,
  user: string | undefined,
  clock: Clock,
): Promise<unknown> {
  if (!(error instanceof errors.TimeoutError || lostAlert.test(codeOf(error)))) return explain(error, options, user);
  const refusal = await findTlsRefusal([options.servers ?? []].flat(), options.tls ?? {}, clock);
  return refusal ? (explainTls(refusal.error, `NATS at ${refusal.server}`) ?? error) : error;
}

function connectionOptions(address: NatsAddress): ConnectionOptions {
  const { tls, servers, ...inUrl } = parseServers(address.url);
  const { caFile, certFile, keyFile } = address;
  const files = { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
  return {
    servers,
    ...(address.user === undefined ? inUrl : credentials(address.user, address.password)),
    // Without it the client would go on in plain text with a server that offers nothing else.
    ...((tls || Object.keys(files).length > 0) && { tls: files }),
    ...(address.service !== undefined && { inboxPrefix: `_INBOX_${address.service}` }),
    name: address.name,
    timeout: attemptMs,
    maxReconnectAttempts: -1,
    // A server that comes back with other passwords may get the right ones again.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // Two unanswered pings tell of a server that is silent without having closed the connection. That shows
    // within 3 s: before leases lapse, which nobody can renew while the server is silent.
    pingInterval: 1000,
    maxPingOut: 2,
  };
}

/** A `user` beside the authenticator would win over it. */
function credentials(user: string, password: string | (() => string) = ''): ConnectionOptions {
  if (typeof password === 'string') return { user, pass: password };
  return { authenticator: usernamePasswordAuthenticator(user, password) };
}

function explain(error: unknown, { servers }: ConnectionOptions, user: string | undefined): unknown {
  const where = `NATS at ${[servers].flat().join(', ')}`;
  if (error instanceof errors.AuthorizationError) {
    const who = user === undefined ? 'us without a user name' : `the user "${user}"`;
    return new BusRefusedError(
      `${where} refuses ${who}: NATS_USER and NATS_PASSWORD must be those of its configuration`,
    );
  }
  return explainTls(error, where) ?? error;
}

/** Codes of OpenSSL and Node for a certificate that is not believed. */
const distrust = /CERT|UNABLE_TO_|SELF_SIGNED/;

const lostAlert = /^(ECONNRESET|EPIPE)$/;

function explainTls(error: unknown, where: string): BusRefusedError | undefined {
  const code = codeOf(error);
  if (code.startsWith('ERR_SSL_')) {
    return new BusRefusedError(
      `${where} ends the TLS handshake (${code}): it may want NATS_CERT_FILE and NATS_KEY_FILE`,
    );
  }
  if (distrust.test(code)) {
    return new BusRefusedError(
      `the certificate of ${where} is not trusted (${code}): NATS_CA_FILE must hold who signed it, and the address in NATS_URL must stand in it`,
    );
  }
  if (!(error instanceof errors.ConnectionError)) return undefined;
  if (error.message.includes("does not support 'tls'")) return new BusRefusedError(`${where} does not speak TLS`);
  return error.message.includes("doesn't exist") ? new BusRefusedError(`for ${where}: ${error.message}`) : undefined;
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
