import { Global, Module } from '@nestjs/common';
import { GATEWAY_CONFIG } from '../gateway.config.js';
import { MEDIA_SETTINGS, mediaSettingsOf } from './media-settings.js';

@Global()
@Module({
  providers: [{ provide: MEDIA_SETTINGS, useFactory: mediaSettingsOf, inject: [GATEWAY_CONFIG] }],
  exports: [MEDIA_SETTINGS],
})
export class MediaSettingsModule {}
