import type { Clock } from '@rtms/clock';
import { readFile } from 'node:fs/promises';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';

/** PEM files for the NATS client. */
export interface ClientTlsFiles {
  caFile?: string | undefined;
  certFile?: string | undefined;
  keyFile?: string | undefined;
}

/** A server that ended TLS, and its error. */
export interface TlsRefusal {
  server: string;
  error: unknown;
}

const defaultPort = 4222;
const patienceMs = 2_000;

/**
 * Connects to each server to read its TLS alert. In TLS 1.3 the alert follows our side of the handshake. The NATS client
 * writes at once; the server then resets the connection, and the alert may be lost. This function writes nothing, so it
 * receives the alert. It sends no password.
 */
export async function findTlsRefusal(
  servers: readonly string[],
  files: ClientTlsFiles,
  clock: Clock,
): Promise<TlsRefusal | undefined> {
  const outcomes = await Promise.all(servers.map(server => refusalOf(server, files, clock).catch(() => undefined)));
  return outcomes.find(outcome => outcome !== undefined);
}

async function refusalOf(server: string, files: ClientTlsFiles, clock: Clock): Promise<TlsRefusal | undefined> {
  const { hostname, port } = new URL(server);
  const host = hostname.replace(/^\[|\]$/g, '');
  const options = await tlsOptions(host, files);
  const plain = connectPlain(port === '' ? defaultPort : Number(port), host);
  try {
    if (!(await offersTls(plain))) return undefined;
    const error = await alertOf(connectTls({ ...options, socket: plain }), clock);
    return error === undefined ? undefined : { server, error };
  } finally {
    plain.destroy();
  }
}

async function tlsOptions(host: string, { caFile, certFile, keyFile }: ClientTlsFiles): Promise<ConnectionOptions> {
  const read = async (file: string | undefined): Promise<Buffer | undefined> => (file ? readFile(file) : undefined);
  const [ca, cert, key] = await Promise.all([read(caFile), read(certFile), read(keyFile)]);
  return {
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
  };
}

/** Reads the server's INFO line, which is in plain text. */
function offersTls(socket: Socket): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let greeting = '';
    const read = (chunk: Buffer): void => {
      greeting += chunk.toString();
      if (!greeting.includes('\r\n')) return;
      socket.off('data', read);
      resolve(/"tls_(required|available)":\s*true/.test(greeting));
    };
    socket.on('data', read);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed before the INFO line')));
    socket.setTimeout(patienceMs, () => socket.destroy());
  });
}

function alertOf(socket: TLSSocket, clock: Clock): Promise<unknown> {
  return new Promise(resolve => {
    const settle = (error?: unknown): void => {
      timer.cancel();
      socket.destroy();
      resolve(error);
    };
    const timer = clock.after(patienceMs, () => settle());
    socket.on('error', settle);
    socket.once('close', () => settle());
    socket.resume();
  });
}
