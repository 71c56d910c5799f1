import express, { type Request, type Response } from 'express';

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
      read(request, response, (error?: unknown) => {
        const body: unknown = request.body;
        if (error instanceof Error) reject(error);
        else resolve(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
      });
    });
}
