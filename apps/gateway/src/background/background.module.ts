import { Module } from '@nestjs/common';
import { RepairRequests } from './repair-requests.js';

@Module({ providers: [RepairRequests], exports: [RepairRequests] })
export class BackgroundModule {}
