import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { answerBrokenRequests } from './answer-broken-requests.js';
import { toListenError } from './port-in-use.js';
import { followTlsFiles, type TlsFiles } from './tls-server.js';

/**
 * Listens and answers where: `{ url: 'http://127.0.0.1:4000', port: 4000 }`. Port 0 takes any free one. `tls` are the
 * files that the app's `httpsOptions` come from.
 */
export async function listen(
  app: INestApplication,
  host: string,
  port: number,
  tls?: TlsFiles,
): Promise<{ url: string; port: number }> {
  const server = app.getHttpServer() as Server;
  answerBrokenRequests(server);
  if (tls) followTlsFiles(server, tls);
  await app.listen(port, host).catch((error: unknown) => {
    throw toListenError(error, host, port);
  });
  const { port: bound } = server.address() as AddressInfo;
  return { url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound };
}
