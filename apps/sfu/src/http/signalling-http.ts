import { Inject, Injectable } from '@nestjs/common';
import type { SignallingResponse } from '@rtms/contracts';
import { bodyReader, requestIDOf } from '@rtms/http';
import type { Request, Response } from 'express';
import type { SfuConfig } from '../sfu.config.js';
import { SFU_CONFIG } from '../sfu.tokens.js';
import { SignallingService, type IncomingRequest } from '../signalling/signalling.service.js';

/** All that signalling reads; other headers do not travel over the bus. */
const readHeaders = ['authorization', 'content-type', 'accept', 'if-match', 'access-control-request-method'];

/** Brings HTTP requests to the signalling. */
@Injectable()
export class SignallingHttp {
  private readonly readBody: ReturnType<typeof bodyReader>;

  constructor(
    @Inject(SFU_CONFIG) { maxSdpBytes }: SfuConfig,
    private readonly signalling: SignallingService,
  ) {
    this.readBody = bodyReader(maxSdpBytes);
  }

  handle(request: Request, response: Response): Promise<SignallingResponse> {
    const readBody = async (): Promise<string> => (await this.readBody(request, response)).toString();
    return this.signalling.handle({ head: headOf(request), readBody });
  }
}

function headOf(request: Request): IncomingRequest['head'] {
  const headers: Record<string, string> = {};
  for (const name of readHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return { method: request.method, path: request.path, headers, requestID: requestIDOf(request) };
}

/** In one piece: FFmpeg's WHIP muxer fails on a chunked answer. */
export function sendSignallingResponse(response: Response, { status, headers, body }: SignallingResponse): void {
  const length = status === 204 ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  response.writeHead(status, { ...headers, ...length });
  response.end(body);
}
