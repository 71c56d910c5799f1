import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TranslationConfig } from './translation-config.entity.js';
import { TranslationConfigsController } from './translation-configs.controller.js';
import { TranslationConfigsService } from './translation-configs.service.js';

/** `/v1/translationconfigs`. */
@Module({
  imports: [TypeOrmModule.forFeature([TranslationConfig])],
  providers: [TranslationConfigsService],
  controllers: [TranslationConfigsController],
})
export class TranslationConfigsModule {}
