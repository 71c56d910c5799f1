import type { Clock } from '@rtms/clock';
import {
  connect,
  errors,
  usernamePasswordAuthenticator,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node';
import { BusRefusedError } from '../port/bus-errors.js';
import { findTlsRefusal } from './tls-refusal.js';
import { untilReachable } from './until-reachable.js';

const defaultConnectTimeoutMs = 30_000;
const attemptMs = 8_000;

export interface NatsAddress {
  /** For example `nats://127.0.0.1:4222` or `nats://user:password@bus:4222`; separate several with commas. */
  url: string;
  /** Overrides the user in the URL. */
  user?: string;
  /** A function is called for each connection, so that the password can change. */
  password?: string | (() => string);
  /** PEM files: CA of the server's certificate, client certificate, and its key. */
  caFile?: string;
  certFile?: string;
  keyFile?: string;
  /** Name of the connection in the server's monitoring. */
  name: string;
  /** The client's service. It selects the inbox prefix of replies, which only this service may read. */
  service?: string;
  /** ms to wait for the first connection; default 30,000. */
  connectTimeoutMs?: number;
}

/** Connects. Retries an unreachable server until the timeout. Throws BusRefusedError at once if the server refuses us. */
export async function openConnection(address: NatsAddress, clock: Clock): Promise<NatsConnection> {
  const options = connectionOptions(address);
  const attempt = (): Promise<NatsConnection> =>
    connect(options).catch(async (error: unknown) => {
      throw await explainLost(error, options, address.user ?? options.user, clock);
    });
  const timeoutMs = address.connectTimeoutMs ?? defaultConnectTimeoutMs;
  return untilReachable(attempt, { clock, timeoutMs, isFinal: error => error instanceof BusRefusedError });
}

/** Looks for a lost TLS alert: the client reports only a timeout or a reset when the server refuses our certificate. */
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
    // Without this option the client would use plain text with a server that offers no TLS.
    ...((tls || Object.keys(files).length > 0) && { tls: files }),
    ...(address.service !== undefined && { inboxPrefix: `_INBOX_${address.service}` }),
    name: address.name,
    timeout: attemptMs,
    maxReconnectAttempts: -1,
    // An operator may correct the passwords of a restarted server.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // Two unanswered pings detect a dead server within 3 s, which is before leases expire (5 s).
    pingInterval: 1000,
    maxPingOut: 2,
  };
}

/** The client ignores the authenticator if `user` is set too. */
function credentials(user: string, password: string | (() => string) = ''): ConnectionOptions {
  if (typeof password === 'string') return { user, pass: password };
  return { authenticator: usernamePasswordAuthenticator(user, password) };
}

function explain(error: unknown, { servers }: ConnectionOptions, user: string | undefined): unknown {
  const where = `NATS at ${[servers].flat().join(', ')}`;
  if (error instanceof errors.AuthorizationError && !isLate.test(error.message)) {
    const who = user === undefined ? 'us without a user name' : `the user "${user}"`;
    return new BusRefusedError(
      `${where} refuses ${who}: set NATS_USER and NATS_PASSWORD to those of its configuration`,
    );
  }
  return explainTls(error, where) ?? error;
}

/** On a busy machine the server may close a connection that has not sent its password yet: after two seconds by default. */
const isLate = /authentication timeout/i;

/** Error codes of OpenSSL and Node for an untrusted certificate. */
const distrust = /CERT|UNABLE_TO_|SELF_SIGNED/;

const lostAlert = /^(ECONNRESET|EPIPE)$/;

function explainTls(error: unknown, where: string): BusRefusedError | undefined {
  const code = codeOf(error);
  if (code.startsWith('ERR_SSL_')) {
    return new BusRefusedError(
      `${where} ends the TLS handshake (${code}): it may require NATS_CERT_FILE and NATS_KEY_FILE`,
    );
  }
  if (distrust.test(code)) {
    return new BusRefusedError(
      `the certificate of ${where} is not trusted (${code}): NATS_CA_FILE must hold its CA, and the certificate must name the host of NATS_URL`,
    );
  }
  if (!(error instanceof errors.ConnectionError)) return undefined;
  if (error.message.includes("does not support 'tls'")) return new BusRefusedError(`${where} does not support TLS`);
  return error.message.includes("doesn't exist") ? new BusRefusedError(`for ${where}: ${error.message}`) : undefined;
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

export interface NatsServers {
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
  /** Whether a URL has the scheme `tls:`. */
  tls: boolean;
}

/**
 * Extracts the credentials from server URLs, like other NATS clients: `user:password@`, or a token alone. The credentials
 * of the first URL that has some apply to all servers.
 */
export function parseServers(urls: string): NatsServers {
  const parsed = urls.split(',').map(url => new URL(withScheme(url.trim())));
  const servers = parsed.map(url => `${url.protocol}//${url.host}`);
  const tls = parsed.some(url => url.protocol === 'tls:');
  const owner = parsed.find(url => url.username !== '');
  if (!owner) return { servers, tls };
  const name = decodeURIComponent(owner.username);
  return owner.password
    ? { servers, tls, user: name, pass: decodeURIComponent(owner.password) }
    : { servers, tls, token: name };
}

function withScheme(url: string): string {
  return url.includes('://') ? url : `nats://${url}`;
}
