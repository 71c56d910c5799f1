import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventSetting } from './event-setting.entity.js';
import { EventSettingsController } from './event-settings.controller.js';
import { EventSettingsService } from './event-settings.service.js';

/** `/v1/eventssettings`, and what of them applies to new rooms. */
@Module({
  imports: [TypeOrmModule.forFeature([EventSetting])],
  providers: [EventSettingsService],
  controllers: [EventSettingsController],
  exports: [EventSettingsService],
})
export class EventSettingsModule {}
