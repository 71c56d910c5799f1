import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sendSignallingResponse, toSignallingRequest } from '../http/signalling-http.js';
import { SignallingService } from '../signalling/signalling.service.js';

/** `/whip/<external session>` and below it the session URLs of its publishers. */
@Controller('whip')
export class WhipController {
  constructor(private readonly signalling: SignallingService) {}

  @All([':resourceID', ':resourceID/:key'])
  async handle(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendSignallingResponse(response, await this.signalling.handle(toSignallingRequest(request)));
  }
}
