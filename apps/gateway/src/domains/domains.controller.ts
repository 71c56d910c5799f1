import { Body, Controller, Query } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../auth/auth.decorators.js';
import type { Caller } from '../auth/caller.js';
import { Action, ReadAction } from '../http/action.decorator.js';
import { Answers, deleted, one, oneOrList } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import {
  presentDeleted,
  presentList,
  presentOne,
  type DeletedAnswer,
  type ListAnswer,
  type OneAnswer,
} from '../http/present.js';
import { DomainsService } from './domains.service.js';
import { CreateDomainDto } from './dto/create-domain.dto.js';
import { DeleteDomainDto } from './dto/delete-domain.dto.js';
import { GetDomainsDto } from './dto/get-domains.dto.js';
import { UpdateDomainDto } from './dto/update-domain.dto.js';
import { domainSchema, presentDomain, type PresentedDomain } from './present-domain.js';

type DomainAnswer = OneAnswer<'domain', PresentedDomain>;
type DomainsAnswer = ListAnswer<'domains', PresentedDomain>;

/** Hosts from which browsers may use an account's production keys. */
@Controller('v1/domains')
@RequireOperation('manageDomains')
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  @Action('create')
  @Answers(one('domain', domainSchema), 'name_taken')
  async create(@CurrentCaller() { accountID }: Caller, @Body() dto: CreateDomainDto): Promise<DomainAnswer> {
    return presentOne('domain', presentDomain(await this.domains.create(accountID, dto)));
  }

  @ReadAction('get')
  @Answers(oneOrList(['domain', domainSchema], ['domains', domainSchema]))
  async get(
    @CurrentCaller() { accountID }: Caller,
    @Query() { domainID }: GetDomainsDto,
    @PageQuery() page: Page,
  ): Promise<DomainAnswer | DomainsAnswer> {
    if (domainID !== undefined) {
      return presentOne('domain', presentDomain(await this.domains.find(accountID, domainID)));
    }
    const { items, total } = await this.domains.list(accountID, page);
    return presentList('domains', items.map(presentDomain), total, page);
  }

  @Action('update')
  @Answers(one('domain', domainSchema), 'name_taken')
  async update(@CurrentCaller() { accountID }: Caller, @Body() dto: UpdateDomainDto): Promise<DomainAnswer> {
    return presentOne('domain', presentDomain(await this.domains.update(accountID, dto)));
  }

  @Action('delete')
  @Answers(deleted('domainID'))
  async delete(
    @CurrentCaller() { accountID }: Caller,
    @Body() { domainID }: DeleteDomainDto,
  ): Promise<DeletedAnswer<'domainID'>> {
    await this.domains.delete(accountID, domainID);
    return presentDeleted('domainID', domainID);
  }
}
