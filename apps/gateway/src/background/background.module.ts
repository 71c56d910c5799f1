import { Module } from '@nestjs/common';
import { Pace } from './pace.js';
import { RepairRequests } from './repair-requests.js';

@Module({ providers: [Pace, RepairRequests], exports: [Pace, RepairRequests] })
export class BackgroundModule {}
