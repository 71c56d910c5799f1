import { Controller, Get } from '@nestjs/common';
import { DashboardFor } from '../dashboard-sessions/signed-in.decorators.js';
import type { OpenApiDocument } from './build-document.js';
import { OpenApiService } from './openapi.service.js';

@Controller('dashboard/api/openapi.json')
@DashboardFor('user')
export class DashboardOpenApiController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get()
  read(): OpenApiDocument {
    return this.openApi.document('dashboard');
  }
}
