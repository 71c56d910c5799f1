import { createServer, connect as connectTcp, isIP, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { connect as connectTls, type SecureContextOptions } from 'node:tls';
import type { RestreamProblem } from '@rtms/contracts';
import {
  checkedLookup,
  hostOf,
  isPublicAddress,
  noAddress,
  privateAddress,
  resolveAllowed,
  resolverFor,
  type Resolve,
} from '@rtms/http';
import { SendFailure } from './sender.js';

/** How names and certificates of targets are checked. Tests bring their own. */
export interface Network {
  resolve?: Resolve;
  tls?: SecureContextOptions;
}

const connectTimeoutMs = 10_000;

const defaultPorts: Readonly<Record<string, number>> = { 'rtmp:': 1935, 'rtmps:': 443 };

/**
 * Resolves the host of a target, and returns an address only if all its addresses are allowed. FFmpeg then gets this address,
 * so a name cannot change its address after the check. Rejects with a `SendFailure`.
 */
export async function resolveTarget(url: URL, allowsPrivate: boolean, network: Network = {}): Promise<string> {
  try {
    return await resolveAllowed(hostOf(url), { allowsPrivate }, network.resolve);
  } catch (error) {
    throw failureOf(error as Error);
  }
}

export interface TcpTarget {
  url: URL;
  allowsPrivate: boolean;
  network?: Network;
}

/**
 * Passes the bytes of one local connection to a target, with TLS for `rtmps:`. FFmpeg resolves names by itself and offers no
 * server name to a numeric host, so this connection checks the address, and TLS verifies the name.
 */
export class TargetConnection {
  private local: Socket | undefined;
  /** The target ended the connection before this node did. */
  isClosedByTarget = false;
  private hasEnded = false;

  private constructor(
    private readonly target: Socket,
    private readonly server: Server,
  ) {}

  /** Connects to the target, and listens for one local connection. Rejects with a `SendFailure`. */
  static async open(target: TcpTarget, signal: AbortSignal): Promise<TargetConnection> {
    const socket = await connectTo(target, signal);
    const server = createServer({ pauseOnConnect: true });
    const connection = new TargetConnection(socket, server);
    socket.once('close', () => {
      connection.isClosedByTarget = !connection.hasEnded;
      connection.close();
    });
    server.maxConnections = 1;
    server.once('connection', local => connection.pass(local));
    server.listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      connection.close();
      throw error;
    }
    return connection;
  }

  /** Of the local address. */
  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** Safe to call twice. */
  close(): void {
    this.hasEnded = true;
    this.target.destroy();
    this.local?.destroy();
    this.server.close();
  }

  private pass(local: Socket): void {
    this.server.close();
    this.local = local;
    // Each end has a `close` event of its own, which ends the other end.
    local.on('error', () => undefined);
    local.once('end', () => (this.hasEnded = true));
    local.once('close', () => {
      this.hasEnded = true;
      this.target.end(() => this.target.destroy());
    });
    local.pipe(this.target);
    this.target.pipe(local);
    local.resume();
  }
}

function connectTo({ url, allowsPrivate, network = {} }: TcpTarget, signal: AbortSignal): Promise<Socket> {
  const host = hostOf(url);
  return new Promise((resolve, reject) => {
    try {
      requireAllowed(host, allowsPrivate);
    } catch (error) {
      return reject(error instanceof Error ? error : new Error(String(error)));
    }
    const isSecure = url.protocol === 'rtmps:';
    const lookup = checkedLookup(network.resolve ?? resolverFor({ allowsPrivate }), { allowsPrivate });
    const options = { host, port: Number(url.port) || (defaultPorts[url.protocol] ?? 0), lookup, noDelay: true };
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const socket = isSecure ? connectTls({ ...options, ...servername, ...network.tls }) : connectTcp(options);
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    const onAbort = () => fail(new SendFailure('sender_failed', 'the attempt was given up'));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    socket.setTimeout(connectTimeoutMs, () => fail(new SendFailure('connection_timed_out', 'no answer')));
    socket.on('error', (error: Error) => fail(failureOf(error, isSecure)));
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', onAbort);
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}

export function requireAllowed(host: string, allowsPrivate: boolean): void {
  if (allowsPrivate || isIP(host) === 0 || isPublicAddress(host)) return;
  throw new SendFailure('target_not_allowed', 'the target is a private address');
}

const timeouts = ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'];

/** Errors of sockets name addresses, so only their codes are kept. */
export function failureOf(error: Error, isSecure = false): SendFailure {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  return new SendFailure(problemOf(code, syscall, isSecure), code || error.message);
}

function problemOf(code: string, syscall: string, isSecure: boolean): RestreamProblem {
  if (code === privateAddress) return 'target_not_allowed';
  if (timeouts.includes(code)) return 'connection_timed_out';
  if (code === 'ECONNREFUSED' && syscall === 'connect') return 'connection_refused';
  if (code === noAddress || /^(?:query|getaddrinfo)/.test(syscall)) return 'host_not_found';
  // Neither the network nor TLS failed, so the fault is ours.
  if (code === '') return 'sender_failed';
  return isSecure ? 'tls_failed' : 'connection_refused';
}
