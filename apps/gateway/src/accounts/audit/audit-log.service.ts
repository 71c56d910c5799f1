import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { Repository } from 'typeorm';
import type { Listed, Page } from '../../platform/rows/list-rows.js';
import { newID } from '../../platform/database/new-id.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { AuditEntry } from './audit-entry.entity.js';

export type NewAuditEntry = Omit<AuditEntry, 'id' | 'at' | 'number'>;
export type AuditResult = Pick<AuditEntry, 'outcome' | 'reason' | 'accountID' | 'details'>;

/** The log of administrative actions. Nobody changes or deletes an entry, except for retention. */
@Injectable()
export class AuditLogService {
  constructor(
    @InjectRepository(AuditEntry) private readonly entries: Repository<AuditEntry>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the id of the entry. */
  async add(entry: NewAuditEntry): Promise<string> {
    const id = newID('audit');
    await this.entries.insert({ ...entry, id, at: new Date(this.clock.now()) });
    return id;
  }

  async finish(id: string, result: AuditResult): Promise<void> {
    await this.entries.update(id, result);
  }

  /** Deletes the entry of an invalid request, which changed nothing. */
  async withdraw(id: string): Promise<void> {
    await this.entries.delete(id);
  }

  /** Newest first. With `accountID`, lists only the entries about that account. */
  async list(accountID: string | undefined, { startIndex, pageSize }: Page): Promise<Listed<AuditEntry>> {
    const [items, total] = await this.entries.findAndCount({
      where: accountID === undefined ? {} : { accountID },
      order: { number: 'DESC' },
      skip: startIndex,
      take: pageSize,
    });
    return { items, total };
  }
}
