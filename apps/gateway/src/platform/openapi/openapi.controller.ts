import { Controller, Get, Inject } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { DashboardFor } from '../auth/signed-in.decorators.js';
import { collectRoutes } from '../http/route-table.js';
import { buildDocument, type Audience, type OpenApiDocument } from './document.js';

/** Builds each document on its first request, when all controllers are registered. */
@Controller()
export class OpenApiController {
  private readonly documents = new Map<Audience, OpenApiDocument>();
  private referenceDocument: OpenApiDocument | undefined;

  constructor(
    private readonly modules: ModuleRef,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {}

  /** Open to everyone: the document does not depend on an account. */
  @Get('openapi.json')
  public(): OpenApiDocument {
    return this.document('public');
  }

  /** The document that the page `/docs` shows. */
  @Get('docs/openapi.json')
  reference(): OpenApiDocument {
    this.referenceDocument ??= buildDocument(collectRoutes(this.modules), {
      ...{ audience: 'public', url: this.config.publicUrl, isReference: true },
    });
    return this.referenceDocument;
  }

  @Get('admin/openapi.json')
  @AdministratorOnly()
  administration(): OpenApiDocument {
    return this.document('administration');
  }

  @Get('dashboard/api/openapi.json')
  @DashboardFor('user')
  dashboard(): OpenApiDocument {
    return this.document('dashboard');
  }

  document(audience: Audience): OpenApiDocument {
    const { publicUrl: url } = this.config;
    const document = this.documents.get(audience) ?? buildDocument(collectRoutes(this.modules), { audience, url });
    this.documents.set(audience, document);
    return document;
  }
}
