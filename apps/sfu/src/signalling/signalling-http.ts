import { Inject, Injectable } from '@nestjs/common';
import type { SignallingResponse } from '@rtms/contracts';
import { bodyReader, crossOrigin, requestIDOf } from '@rtms/http';
import type { Request, Response } from 'express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from '@rtms/logging';
import { CLOCK, configureMediaHttp } from '@rtms/node';
import { SFU_CONFIG, type SfuConfig } from '../sfu.config.js';
import { type IncomingRequest, SignallingService } from './signalling.service.js';

/** The headers that signalling reads. Others are not forwarded over the bus. */
const readHeaders = ['authorization', 'content-type', 'accept', 'if-match', 'access-control-request-method'];

/** Turns HTTP requests into signalling requests. Reads the body only when the service asks for it. */
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

/** Sets `Content-Length`: FFmpeg's WHIP muxer fails on a chunked response. */
export function sendSignallingResponse(response: Response, { status, headers, body }: SignallingResponse): void {
  const length = status === 204 ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  response.writeHead(status, { ...headers, ...length });
  response.end(body);
}

/** Pages of any origin may publish and play. The bearer token authorises them. */
const anyPage = crossOrigin({
  origin: '*',
  methods: 'GET,HEAD,POST,PATCH,DELETE,OPTIONS',
  requestHeaders: 'Authorization,Content-Type,If-Match,Idempotency-Key,X-Request-Id',
  responseHeaders: 'Location,ETag,Link,Retry-After,Accept-Post,Accept-Patch,Allow,WWW-Authenticate,X-Request-Id',
  maxAgeSeconds: 86_400,
  preflight: 'next',
});

/** Installs the middleware. Create the application with `bodyParser: false`, because `SignallingHttp` reads the bodies. */
export function configureHttp(app: NestExpressApplication, logger: Logger): void {
  const { limits } = app.get<SfuConfig>(SFU_CONFIG);
  const paths = ['/whip', '/whep'];
  configureMediaHttp(app, { logger, clock: app.get(CLOCK), limits, paths, crossOrigin: [anyPage] });
}
