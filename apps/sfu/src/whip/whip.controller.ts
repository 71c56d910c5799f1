import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sendSignallingResponse, SignallingHttp } from '../http/signalling-http.js';

/** `/whip/<external session>` and below it the session URLs of its publishers. */
@Controller('whip')
export class WhipController {
  constructor(private readonly signalling: SignallingHttp) {}

  @All([':resourceID', ':resourceID/:key'])
  async handle(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendSignallingResponse(response, await this.signalling.handle(request, response));
  }
}
