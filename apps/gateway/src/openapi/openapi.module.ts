import { Module } from '@nestjs/common';
import { AdminOpenApiController } from './admin-openapi.controller.js';
import { DashboardOpenApiController } from './dashboard-openapi.controller.js';
import { OpenApiController } from './openapi.controller.js';
import { OpenApiService } from './openapi.service.js';

@Module({
  controllers: [OpenApiController, AdminOpenApiController, DashboardOpenApiController],
  providers: [OpenApiService],
})
export class OpenApiModule {}
