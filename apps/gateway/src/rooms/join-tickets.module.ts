import { Module } from '@nestjs/common';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js';
import { JoinTicketsService } from './join-tickets.service.js';

@Module({ imports: [SigningKeysModule], providers: [JoinTicketsService], exports: [JoinTicketsService] })
export class JoinTicketsModule {}
