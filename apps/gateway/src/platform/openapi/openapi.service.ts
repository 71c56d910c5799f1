import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { collectRoutes } from '../http/route-table.js';
import { buildDocument, type Audience, type OpenApiDocument } from './build-document.js';

/** Builds each document on its first request, when all controllers are registered. */
@Injectable()
export class OpenApiService {
  private readonly documents = new Map<Audience, OpenApiDocument>();

  constructor(
    private readonly modules: ModuleRef,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {}

  document(audience: Audience): OpenApiDocument {
    const document =
      this.documents.get(audience) ??
      buildDocument(collectRoutes(this.modules), { audience, url: this.config.publicUrl });
    this.documents.set(audience, document);
    return document;
  }
}
