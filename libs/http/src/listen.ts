import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { answerBrokenRequests } from './answer-broken-requests.js';

/** Listens and answers where: `{ url: 'http://127.0.0.1:4000', port: 4000 }`. Port 0 takes any free one. */
export async function listen(
  app: INestApplication,
  host: string,
  port: number,
): Promise<{ url: string; port: number }> {
  const server = app.getHttpServer() as Server;
  answerBrokenRequests(server);
  await app.listen(port, host).catch((error: unknown) => {
    throw isAddressInUse(error) ? new Error(`Port ${port} on ${host} is in use. Set PORT to another one.`) : error;
  });
  const { port: bound } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound };
}

function isAddressInUse(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EADDRINUSE';
}
