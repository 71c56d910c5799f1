import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { Agent } from './agents/agent.entity.js';
import { AgentsController } from './agents/agents.controller.js';
import { AgentsService } from './agents/agents.service.js';
import { AiCredential } from './ai-credentials/ai-credential.entity.js';
import { AiCredentialsController } from './ai-credentials/ai-credentials.controller.js';
import { AiCredentialsService } from './ai-credentials/ai-credentials.service.js';
import { EventSetting } from './event-settings/event-setting.entity.js';
import { EventSettingsController } from './event-settings/event-settings.controller.js';
import { EventSettingsService } from './event-settings/event-settings.service.js';
import { RecordingSetting } from './recording-settings/recording-setting.entity.js';
import { RecordingSettingsController } from './recording-settings/recording-settings.controller.js';
import { RecordingSettingsService } from './recording-settings/recording-settings.service.js';
import { SipConfig } from './sip-configs/sip-config.entity.js';
import { SipConfigsController } from './sip-configs/sip-configs.controller.js';
import { SipConfigsService } from './sip-configs/sip-configs.service.js';
import { TranslationConfig } from './translation-configs/translation-config.entity.js';
import { TranslationConfigsController } from './translation-configs/translation-configs.controller.js';
import { TranslationConfigsService } from './translation-configs/translation-configs.service.js';

const services = [
  AgentsService,
  AiCredentialsService,
  EventSettingsService,
  RecordingSettingsService,
  SipConfigsService,
  TranslationConfigsService,
];

/** The settings of accounts: event and recording settings, AI credentials, agents, SIP and translation configurations. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Agent, AiCredential, EventSetting, RecordingSetting, SipConfig, TranslationConfig]),
    AccountsModule,
  ],
  controllers: [
    AgentsController,
    AiCredentialsController,
    EventSettingsController,
    RecordingSettingsController,
    SipConfigsController,
    TranslationConfigsController,
  ],
  providers: services,
  exports: services,
})
export class SettingsModule {}
