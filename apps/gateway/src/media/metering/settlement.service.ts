import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { advance, chargesOf } from '../../accounts/balance/usage-charges.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { intervalsAtOnce, SettlementRepository } from './settlement.repository.js';

/** Charges usage. Ledger and balance change in one transaction, so a crash neither loses nor doubles a charge. */
@Injectable()
export class SettlementService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly usage: SettlementRepository,
    private readonly nodes: NodeRegistry,
  ) {}

  async settle(now: Date): Promise<void> {
    let last: string | undefined = '0';
    while (last !== undefined) {
      const after: string = last;
      last = await this.dataSource.transaction(manager => this.settleBatch(manager, after, now));
    }
  }

  /** Returns the ID of the last interval; undefined when no interval is left. */
  private async settleBatch(manager: EntityManager, after: string, now: Date): Promise<string | undefined> {
    const living = { sfus: this.nodes.list('sfu'), transcoders: this.nodes.list('transcoder') };
    const intervals = await this.usage.lockNext(manager, after, living);
    await this.usage.advance(
      manager,
      intervals.map(interval => advance(interval, now)),
    );
    for (const charge of chargesOf(intervals, now)) await this.usage.charge(manager, charge);
    return intervals.length < intervalsAtOnce ? undefined : intervals.at(-1)?.id;
  }
}
