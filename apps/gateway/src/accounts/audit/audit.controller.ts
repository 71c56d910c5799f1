import { Controller, Get, Query } from '@nestjs/common';
import { AdministratorOnly, CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Dto, optionalQuery } from '../../platform/http/dto.js';
import { queryText } from '../../platform/http/fields.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { list } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentList } from '../../platform/http/present.js';
import { AuditLogService } from './audit-log.service.js';
import { auditEntrySchema, presentAuditEntry, presentToAccount } from './present-audit-entry.js';

class GetAuditLogDto extends Dto(optionalQuery({ accountID: queryText() })) {}

@ApiTag({ name: 'Logs' })
@Controller('v1/audit-log')
@RequireOperation('readLogs')
export class AuditController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @ApiOperation({
    operationId: 'listAuditLog',
    summary: 'List administrative actions of the account',
    description: 'Newest first: the actor, the action, the time and the address.',
  })
  @ApiAnswer(list('entries', auditEntrySchema))
  async list(@CurrentCaller() { accountID }: Caller, @PageQuery() page: Page) {
    const { items, total } = await this.log.list(accountID, page);
    return presentList('entries', items.map(presentToAccount), total, page);
  }
}

@ApiTag({ name: 'Audit log', description: 'Administrative actions: the actor, the action, the time and the address.' })
@Controller('admin/v1/audit-log')
@AdministratorOnly()
export class AdminAuditController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @ApiOperation({
    operationId: 'listAuditLog',
    summary: 'List administrative actions',
    description: 'Newest first, of all accounts or of one account.',
  })
  @ApiAnswer(list('entries', auditEntrySchema))
  async list(@Query() { accountID }: GetAuditLogDto, @PageQuery() page: Page) {
    const { items, total } = await this.log.list(accountID, page);
    return presentList('entries', items.map(presentAuditEntry), total, page);
  }
}
