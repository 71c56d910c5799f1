import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as TlsServer } from 'node:tls';

export interface TlsFiles {
  certFile: string;
  keyFile: string;
}

/** How soon a new certificate is seen; certificates are renewed days before they end. */
const lookMs = 10_000;

/** Milliseconds; by itself Node waits 120 s. */
const handshakeTimeout = 10_000;

/** Options of a server that speaks TLS; throws a sentence that names the file. */
export function tlsServerOptions(tls: TlsFiles): { cert: string; key: string; handshakeTimeout: number } {
  return { ...readTlsFiles(tls), handshakeTimeout };
}

function readTlsFiles({ certFile, keyFile }: TlsFiles): { cert: string; key: string } {
  return { cert: readPem('TLS_CERT_FILE', certFile), key: readPem('TLS_KEY_FILE', keyFile) };
}

/** A server that speaks HTTPS where files are given, else HTTP. */
export function createServer(tls: TlsFiles | undefined, lookEveryMs = lookMs): Server {
  if (!tls) return createPlainServer();
  const server = createTlsServer(tlsServerOptions(tls));
  followTlsFiles(server, tls, lookEveryMs);
  return server;
}

/**
 * Takes renewed files over for new connections, without a restart. One that is not whole yet, or does not go with the
 * other, changes nothing: the next look may find both.
 */
export function followTlsFiles(server: unknown, tls: TlsFiles, everyMs = lookMs): void {
  if (!(server instanceof TlsServer)) return;
  const takeOver = (): void => {
    try {
      server.setSecureContext(readTlsFiles(tls));
    } catch {
      // The former certificate stays in use.
    }
  };
  const files = [tls.certFile, tls.keyFile];
  for (const file of files) watchFile(file, { interval: everyMs, persistent: false }, takeOver);
  server.once('close', () => {
    for (const file of files) unwatchFile(file, takeOver);
  });
}

function readPem(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Error(`${variable}: ${path} cannot be read`);
  }
}
