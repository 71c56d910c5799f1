import { Module } from '@nestjs/common';
import { BalanceController } from './balance.controller.js';
import { BalancesService } from './balances.service.js';

/** `/v1/balance`, and the decline at zero for the other parts. */
@Module({ providers: [BalancesService], controllers: [BalanceController], exports: [BalancesService] })
export class BalancesModule {}
