import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sendSignallingResponse, toSignallingRequest } from '../http/signalling-http.js';
import { SignallingService } from '../signalling/signalling.service.js';

/** `/whep/<playback>` and below it the session URLs of its viewers. */
@Controller('whep')
export class WhepController {
  constructor(private readonly signalling: SignallingService) {}

  @All([':resourceID', ':resourceID/:key'])
  async handle(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendSignallingResponse(response, await this.signalling.handle(toSignallingRequest(request)));
  }
}
