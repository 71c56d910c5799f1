import { Body, Controller, Query } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Action, ReadAction } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { deleted, one, oneOrList } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentDeleted, presentList, presentOne } from '../../platform/http/present.js';
import { DomainsService } from './domains.service.js';
import {
  CreateDomainDto,
  DomainIDDto,
  domainSchema,
  GetDomainsDto,
  presentDomain,
  UpdateDomainDto,
} from './domain.dto.js';

@ApiTag({
  name: 'Domains',
  description: 'Hosts from which browsers may send requests with production keys.',
  post: 'postDomains',
})
@Controller('v1/domains')
@RequireOperation('manageDomains')
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  @Action('create')
  @ApiOperation({ operationId: 'createDomain', summary: 'Register a domain' })
  @ApiAnswer(one('domain', domainSchema), 'name_taken')
  async create(@CurrentCaller() { accountID }: Caller, @Body() dto: CreateDomainDto) {
    return presentOne('domain', presentDomain(await this.domains.create(accountID, dto)));
  }

  @ReadAction('get')
  @ApiOperation({
    operationId: 'getDomains',
    summary: 'Read one domain or list domains',
    description: 'With `domainID`, answers that domain. Without it, lists all domains, newest first.',
  })
  @ApiAnswer(oneOrList(['domain', domainSchema], ['domains', domainSchema]))
  async get(@CurrentCaller() { accountID }: Caller, @Query() { domainID }: GetDomainsDto, @PageQuery() page: Page) {
    if (domainID !== undefined) {
      return presentOne('domain', presentDomain(await this.domains.find(accountID, domainID)));
    }
    return presentList('domains', await this.domains.list(accountID, page), page, presentDomain);
  }

  @Action('update')
  @ApiOperation({
    operationId: 'updateDomain',
    summary: 'Change a domain',
    description: 'Changes only the fields that are sent.',
  })
  @ApiAnswer(one('domain', domainSchema), 'name_taken')
  async update(@CurrentCaller() { accountID }: Caller, @Body() dto: UpdateDomainDto) {
    return presentOne('domain', presentDomain(await this.domains.update(accountID, dto)));
  }

  @Action('delete')
  @ApiOperation({
    operationId: 'deleteDomain',
    summary: 'Delete a domain',
    description: 'Repeating the deletion gives the same answer.',
  })
  @ApiAnswer(deleted('domainID'))
  async delete(@CurrentCaller() { accountID }: Caller, @Body() { domainID }: DomainIDDto) {
    await this.domains.delete(accountID, domainID);
    return presentDeleted('domainID', domainID);
  }
}
