import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { Repository } from 'typeorm';
import { normalisedDomain } from '../../platform/auth/host-name.js';
import { newID } from '../../platform/database/new-id.js';
import { DeletableRowsService } from '../../platform/rows/own-rows.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import type { CreateDomainDto, UpdateDomainDto } from './domain.dto.js';
import { Domain } from './domain.entity.js';

@Injectable()
export class DomainsService extends DeletableRowsService<Domain> {
  constructor(
    @InjectRepository(Domain) domains: Repository<Domain>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(domains, 'domain', { domains_account_id_domain_key: ['name_taken', 'This domain is registered already.'] });
  }

  /** Throws CONFLICT when the account has registered the domain. */
  create(accountID: string, { domain, enabled }: CreateDomainDto): Promise<Domain> {
    const createdAt = new Date(this.clock.now());
    const id = newID('dom');
    return this.insert({ id, accountID, domain: normalisedDomain(domain), enabled: enabled ?? true, createdAt });
  }

  update(accountID: string, { domainID: id, domain, enabled }: UpdateDomainDto): Promise<Domain> {
    return this.change({ accountID, id }, () => ({
      ...(domain && { domain: normalisedDomain(domain) }),
      ...(typeof enabled === 'boolean' && { enabled }),
    }));
  }
}
