import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RecordingSetting } from './recording-setting.entity.js';
import { RecordingSettingsController } from './recording-settings.controller.js';
import { RecordingSettingsService } from './recording-settings.service.js';

/** `/v1/recordingsettings`. */
@Module({
  imports: [TypeOrmModule.forFeature([RecordingSetting])],
  providers: [RecordingSettingsService],
  exports: [RecordingSettingsService],
  controllers: [RecordingSettingsController],
})
export class RecordingSettingsModule {}
