import { Controller, Get } from '@nestjs/common';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { DashboardFor } from '../auth/signed-in.decorators.js';
import type { OpenApiDocument } from './build-document.js';
import { OpenApiService } from './openapi.service.js';

/** Open to everyone: the document does not depend on an account. */
@Controller('openapi.json')
export class OpenApiController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get()
  read(): OpenApiDocument {
    return this.openApi.document('public');
  }
}

@Controller('admin/openapi.json')
@AdministratorOnly()
export class AdminOpenApiController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get()
  read(): OpenApiDocument {
    return this.openApi.document('administration');
  }
}

@Controller('dashboard/api/openapi.json')
@DashboardFor('user')
export class DashboardOpenApiController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get()
  read(): OpenApiDocument {
    return this.openApi.document('dashboard');
  }
}
