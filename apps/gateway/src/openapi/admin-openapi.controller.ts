import { Controller, Get } from '@nestjs/common';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import type { OpenApiDocument } from './build-document.js';
import { OpenApiService } from './openapi.service.js';

@Controller('admin/openapi.json')
@AdministratorOnly()
export class AdminOpenApiController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get()
  read(): OpenApiDocument {
    return this.openApi.document('administration');
  }
}
