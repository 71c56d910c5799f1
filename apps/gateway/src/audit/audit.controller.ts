import { Controller, Get, Query } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import { AdministratorOnly, CurrentCaller, RequireOperation } from '../auth/auth.decorators.js';
import type { Caller } from '../auth/caller.js';
import { IsQueryText } from '../fields/query-text.decorator.js';
import { Answers, list } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { presentList, type ListAnswer } from '../http/present.js';
import { AuditLog } from './audit-log.service.js';
import {
  auditEntrySchema,
  presentAuditEntry,
  presentToAccount,
  type PresentedAuditEntry,
} from './present-audit-entry.js';

type AuditAnswer = ListAnswer<'entries', PresentedAuditEntry>;

class GetAuditLogDto {
  @IsOptional()
  @IsQueryText('accountID')
  accountID?: string;
}

@Controller('v1/audit-log')
@RequireOperation('readLogs')
export class AuditController {
  constructor(private readonly log: AuditLog) {}

  /** Administrative actions about the account, newest first: who did what, when and from where. */
  @Get()
  @Answers(list('entries', auditEntrySchema))
  async list(@CurrentCaller() { accountID }: Caller, @PageQuery() page: Page): Promise<AuditAnswer> {
    const { items, total } = await this.log.list(accountID, page);
    return presentList('entries', items.map(presentToAccount), total, page);
  }
}

@Controller('admin/v1/audit-log')
@AdministratorOnly()
export class AdminAuditController {
  constructor(private readonly log: AuditLog) {}

  /** All administrative actions, newest first, or those about one account. */
  @Get()
  @Answers(list('entries', auditEntrySchema))
  async list(@Query() { accountID }: GetAuditLogDto, @PageQuery() page: Page): Promise<AuditAnswer> {
    const { items, total } = await this.log.list(accountID, page);
    return presentList('entries', items.map(presentAuditEntry), total, page);
  }
}
