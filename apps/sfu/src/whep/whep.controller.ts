import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { Request, Response } from 'express';
import { sendSignallingResponse, SignallingHttp } from '../http/signalling-http.js';
import { CLOCK } from '../sfu.tokens.js';
import { proxyEvents, sendEvents } from './event-stream.js';
import { streamOriginHeader } from './viewer-extensions.js';
import { SignallingService } from '../signalling/signalling.service.js';

/** `/whep/<playback>` and below it the session URLs of its viewers. */
@Controller('whep')
export class WhepController {
  constructor(
    private readonly http: SignallingHttp,
    private readonly signalling: SignallingService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @All([
    ':resourceID',
    ':resourceID/:key',
    ':resourceID/:key/layer',
    ':resourceID/:key/events',
    ':resourceID/:key/events/:stream',
  ])
  async handle(@Req() request: Request, @Res() response: Response): Promise<void> {
    const reply = await this.http.handle(request, response);
    const origin = reply.headers[streamOriginHeader];
    if (origin === undefined) return sendSignallingResponse(response, reply);
    const own = this.signalling.eventsOf(request.path);
    if (own) sendEvents(response, own.events, own.stream, this.clock);
    else await proxyEvents(request, response, origin);
  }
}
