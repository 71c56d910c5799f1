import { Module } from '@nestjs/common';
import { Retention } from './retention.service.js';

@Module({ providers: [Retention] })
export class RetentionModule {}
