import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SipConfig } from './sip-config.entity.js';
import { SipConfigsController } from './sip-configs.controller.js';
import { SipConfigsService } from './sip-configs.service.js';

/** `/v1/sipconfigs`. */
@Module({
  imports: [TypeOrmModule.forFeature([SipConfig])],
  providers: [SipConfigsService],
  controllers: [SipConfigsController],
})
export class SipConfigsModule {}
