import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as TlsServer } from 'node:tls';

export interface TlsFiles {
  certFile: string;
  keyFile: string;
}

/** ms between two checks of the files. Certificates are renewed days before they expire. */
const lookMs = 10_000;

/** ms. Node's default is 120 s. */
const handshakeTimeout = 10_000;

/** Reads the files into options of a TLS server. Throws an Error that names the unreadable file. */
export function tlsServerOptions(tls: TlsFiles): { cert: string; key: string; handshakeTimeout: number } {
  return { ...readTlsFiles(tls), handshakeTimeout };
}

function readTlsFiles({ certFile, keyFile }: TlsFiles): { cert: string; key: string } {
  return { cert: readPem('TLS_CERT_FILE', certFile), key: readPem('TLS_KEY_FILE', keyFile) };
}

/** Creates an HTTPS server, or an HTTP server without `tls`. */
export function createServer(tls: TlsFiles | undefined, lookEveryMs = lookMs): Server {
  if (!tls) return createPlainServer();
  const server = createTlsServer(tlsServerOptions(tls));
  followTlsFiles(server, tls, lookEveryMs);
  return server;
}

/**
 * Uses renewed files for new connections, without a restart. Keeps the former certificate while a file is incomplete or does
 * not match the other; the next check tries again.
 */
export function followTlsFiles(server: unknown, tls: TlsFiles, everyMs = lookMs): void {
  if (!(server instanceof TlsServer)) return;
  const takeOver = (): void => {
    try {
      server.setSecureContext(readTlsFiles(tls));
    } catch {
      // Keep the former certificate.
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
