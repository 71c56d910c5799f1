import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { isUniqueViolation } from '../../platform/database/database-errors.js';
import { deleteOnce, findOwn } from '../../platform/rows/own-row.js';
import { listRows, type Listed, type Page } from '../../platform/rows/list-rows.js';
import { newID } from '../../platform/database/new-id.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { Domain } from './domain.entity.js';
import type { CreateDomainDto, UpdateDomainDto } from './domain.dto.js';
import { normalisedDomain } from '../../platform/auth/host-name.js';

@Injectable()
export class DomainsService {
  constructor(
    @InjectRepository(Domain) private readonly domains: Repository<Domain>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** CONFLICT when the account has the domain already. */
  async create(accountID: string, dto: CreateDomainDto): Promise<Domain> {
    const domain = normalisedDomain(dto.domain);
    const row = {
      id: newID('dom'),
      accountID,
      domain,
      enabled: dto.enabled ?? true,
      createdAt: new Date(this.clock.now()),
    };
    await this.domains.insert(row).catch(rethrow);
    return row;
  }

  /** NOT_FOUND for an unknown domain and for one of another account alike. */
  find(accountID: string, domainID: string): Promise<Domain> {
    return findOwn(this.domains, { accountID, id: domainID }, 'domain');
  }

  /** Newest first. */
  list(accountID: string, page: Page): Promise<Listed<Domain>> {
    return listRows(this.domains, { accountID }, page);
  }

  async update(accountID: string, { domainID, domain, enabled }: UpdateDomainDto): Promise<Domain> {
    const changes = {
      ...(domain ? { domain: normalisedDomain(domain) } : {}),
      ...(typeof enabled === 'boolean' ? { enabled } : {}),
    };
    if (Object.keys(changes).length > 0) {
      await this.domains.update({ id: domainID, accountID }, changes).catch(rethrow);
    }
    return this.find(accountID, domainID);
  }

  delete(accountID: string, domainID: string): Promise<void> {
    return deleteOnce(this.domains, accountID, domainID, 'domain');
  }
}

function rethrow(error: unknown): never {
  if (!isUniqueViolation(error, 'domains_account_id_domain_key')) throw error;
  throw new ServiceError('name_taken', 'This domain is registered already.');
}
