import { Module } from '@nestjs/common';
import { UsageLedger } from './usage-ledger.service.js';

@Module({ providers: [UsageLedger], exports: [UsageLedger] })
export class UsageLedgerModule {}
