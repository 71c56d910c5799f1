import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError, type ErrorReason } from '@rtms/contracts';

/** By the codes of Node's HTTP parser. */
const cases: Readonly<Record<string, [ErrorReason, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The address and the headers of the request are too long.'],
  HPE_INVALID_METHOD: ['invalid_request', 'There is no such method; methods are written in capital letters.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
};

/**
 * What Node's parser refuses never reaches the application: it gets the failure body here, where Node itself would
 * answer without any. An expectation other than `100-continue` is ignored, as RFC 9110 section 10.1.1 allows.
 */
export function answerBrokenRequests(server: Server): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, response);
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const response = latest.get(socket);
    const isAnswering = response?.headersSent === true && !response.writableFinished;
    if (!socket.writable || isAnswering || error.code === 'ECONNRESET') socket.destroy();
    else socket.end(formatResponse(toFailure(error)), () => socket.destroy());
  });
}

function toFailure({ code = '' }: NodeJS.ErrnoException): ServiceError {
  return new ServiceError(...(cases[code] ?? ['invalid_request', 'The request is not valid HTTP.']));
}

function formatResponse(failure: ServiceError): string {
  const body = JSON.stringify(failure.toBody());
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    'Connection: close',
    'Cache-Control: private, no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
