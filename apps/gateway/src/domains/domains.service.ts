import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Domain } from './domain.entity.js';

@Injectable()
export class DomainsService {
  constructor(@InjectRepository(Domain) private readonly domains: Repository<Domain>) {}

  /** What the origin policy compares with. */
  async enabledNames(accountID: string): Promise<string[]> {
    const rows = await this.domains.find({ where: { accountID, enabled: true }, select: { id: true, domain: true } });
    return rows.map(row => row.domain);
  }
}
