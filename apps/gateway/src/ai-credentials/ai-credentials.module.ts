import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AiCredential } from './ai-credential.entity.js';
import { AiCredentialsController } from './ai-credentials.controller.js';
import { AiCredentialsService } from './ai-credentials.service.js';

/** `/v1/aicredentials`. */
@Module({
  imports: [TypeOrmModule.forFeature([AiCredential])],
  providers: [AiCredentialsService],
  controllers: [AiCredentialsController],
})
export class AiCredentialsModule {}
