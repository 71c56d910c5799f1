import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import express, { type Request, type Response } from 'express';

/** Requests whose client waits for 100 Continue before it sends the body (RFC 9110 section 10.1.1). */
const waiting = new WeakSet<IncomingMessage>();

/**
 * Lets a client wait with its body until the body is read by a `bodyReader`. By itself Node answers 100 Continue before
 * the application sees the request. A request that is answered without its body ends the connection: nobody could tell
 * the body from a further request.
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
 * Returns a function that reads the whole body of a request, decompressed, up to a number of bytes. The function rejects
 * with body-parser's errors, see `toServiceError`. Call it only when it is known who asks.
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
