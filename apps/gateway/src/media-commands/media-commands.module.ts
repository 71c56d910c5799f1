import { Module } from '@nestjs/common';
import { WorkerCommands } from './worker-commands.service.js';

@Module({ providers: [WorkerCommands], exports: [WorkerCommands] })
export class MediaCommandsModule {}
