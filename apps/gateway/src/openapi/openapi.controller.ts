import { Controller, Get } from '@nestjs/common';
import type { OpenApiDocument } from './build-document.js';
import { OpenApiService } from './openapi.service.js';

/** Open to everyone: it says nothing that depends on an account. */
@Controller('openapi.json')
export class OpenApiController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get()
  read(): OpenApiDocument {
    return this.openApi.document('public');
  }
}
