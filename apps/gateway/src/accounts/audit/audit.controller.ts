import { Controller, Get, Query } from '@nestjs/common';
import { z } from 'zod';
import { AdministratorOnly, CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Dto, optionalQuery } from '../../platform/http/dto.js';
import { oneOf, queryText, queryTime } from '../../platform/http/fields.js';
import { maxEmailCharacters } from '../users/credentials.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { identifier, list, time } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentFields, presentList } from '../../platform/http/present.js';
import { actorKinds, auditOutcomes, type AuditEntry } from './audit-entry.entity.js';
import { AuditLogService, type AuditFilter } from './audit-log.service.js';

const rowFields = {
  at: time.describe('When the action happened.'),
  action: z.string().describe('Name of the action.'),
  accountID: z.string().nullable().describe('The account that the action is about; null: the platform.'),
  details: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe('Identifiers and values of the action.'),
  address: z.string().nullable().describe('IP address of the actor; null where the reader may not see it.'),
  requestID: z.string().describe('Request of the action, as in the logs; empty for the platform.'),
  outcome: z.enum(auditOutcomes).describe('Result of the action.'),
  reason: z.string().nullable().describe('Reason of a failure.'),
};
const auditEntrySchema = z
  .object({
    entryID: identifier('audit'),
    actor: z
      .object({
        kind: z.enum(actorKinds).describe('Kind of actor.'),
        id: z.string().nullable().describe('Identifier of the actor; null where the reader may not see it.'),
        name: z.string().nullable().describe('Name of the actor; null where the reader may not see it.'),
      })
      .describe('The actor of the action.'),
    ...rowFields,
  })
  .meta({ id: 'AuditEntry', description: 'An administrative action.' });

const filters = {
  outcome: oneOf(auditOutcomes).describe('Answers only actions with this result.'),
  actor: queryText(maxEmailCharacters).describe(
    'Answers only actions of the user with this email address, or of the keys with this API username.',
  ),
  from: queryTime.describe('Answers only actions at this time or later.'),
  to: queryTime.describe('Answers only actions before this time.'),
};

class GetAuditLogDto extends Dto(optionalQuery(filters)) {}

class GetPlatformAuditLogDto extends Dto(optionalQuery({ accountID: queryText(), ...filters })) {}

function filterOf({ from, to, ...rest }: GetAuditLogDto): AuditFilter {
  return {
    ...rest,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}

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
  async list(@CurrentCaller() { accountID }: Caller, @Query() query: GetAuditLogDto, @PageQuery() page: Page) {
    const listed = await this.log.list({ ...filterOf(query), accountID, hidesAdministrators: true }, page);
    return presentList('entries', listed, page, presentToAccount);
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
  async list(@Query() { accountID, ...query }: GetPlatformAuditLogDto, @PageQuery() page: Page) {
    const listed = await this.log.list({ ...filterOf(query), accountID }, page);
    return presentList('entries', listed, page, presentAuditEntry);
  }
}

function presentAuditEntry(entry: AuditEntry): z.infer<typeof auditEntrySchema> {
  const actor = { kind: entry.actorKind, id: entry.actorID, name: entry.actorName };
  const fields = presentFields(rowFields, entry);
  return { entryID: entry.id, actor, ...fields, address: entry.actorKind === 'platform' ? null : fields.address };
}

/** An account learns that an administrator acted, but neither the name nor the address of the administrator. */
function presentToAccount(entry: AuditEntry): z.infer<typeof auditEntrySchema> {
  const presented = presentAuditEntry(entry);
  if (entry.actorKind !== 'administrator') return presented;
  return { ...presented, actor: { kind: 'administrator', id: null, name: null }, address: null };
}
