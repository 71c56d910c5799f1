import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import express, { type Request, type Response } from 'express';

/** Requests whose client waits for 100 Continue (RFC 9110 section 10.1.1). */
const waiting = new WeakSet<IncomingMessage>();

/**
 * Delays 100 Continue until a `bodyReader` reads the body; Node sends it before the application sees the request. The
 * connection closes after a response to an unread body, because the body could be taken for the next request.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request);
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
}

function letSend(request: Request, response: Response): void {
  if (!waiting.delete(request)) return;
  response.shouldKeepAlive = true;
  response.writeContinue();
}

/**
 * Returns a function that reads a whole request body, decompressed, up to `maxBytes`. It rejects with body-parser's errors,
 * which `toServiceError` converts. Authenticate the caller before you call it.
 *
 *     const readBody = bodyReader(16_384);
 *     const text = (await readBody(request, response)).toString();
 */
export function bodyReader(maxBytes: number): (request: Request, response: Response) => Promise<Buffer> {
  const read = express.raw({ type: () => true, limit: maxBytes });
  return (request, response) =>
    new Promise((resolve, reject) => {
      letSend(request, response);
      read(request, response, (error?: unknown) => {
        const body: unknown = request.body;
        if (error instanceof Error) reject(error);
        else resolve(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
      });
    });
}
