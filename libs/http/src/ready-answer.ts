import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';

/** A 200 response from memory. `headers` are names and values by turns. */
export interface ReadyAnswer {
  headers: readonly string[];
  body: Buffer;
}

/** Returns the headers of a response as `ReadyAnswer` has them, to send them again. Leaves out `X-Request-Id`. */
export function headersOf(response: { getHeaders(): OutgoingHttpHeaders }): string[] {
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => {
    if (value === undefined || name === 'x-request-id') return [];
    return [value].flat().flatMap(each => [name, String(each)]);
  });
}

/**
 * Answers some requests before Express, which costs a request more than its answer from memory. `answer` returns false, and does
 * nothing, for a request that Express must answer. Call it before the server listens.
 */
export function answerBeforeExpress(
  server: Server,
  answer: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const express = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (answer(request, response)) return;
    for (const listener of express) listener.call(server, request, response);
  });
}
