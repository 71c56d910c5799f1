import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { isReferenceViolation } from '../../platform/database/database-errors.js';
import { deleteOnce, changeOwn, findOwn } from '../../platform/rows/own-row.js';
import { listRows, type Listed, type Page } from '../../platform/rows/list-rows.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { Agent } from './agent.entity.js';
import type { CreateAgentDto, GetAgentsDto, UpdateAgentDto } from './agent.dto.js';
import { agentChanges, makeAgent } from './make-agent.js';

/** For messages. */
const what = 'agent';

@Injectable()
export class AgentsService {
  constructor(
    @InjectRepository(Agent) private readonly agents: Repository<Agent>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async create(accountID: string, dto: CreateAgentDto): Promise<Agent> {
    const agent = makeAgent(accountID, dto, new Date(this.clock.now()));
    await this.agents.insert(agent);
    return agent;
  }

  find(accountID: string, id: string): Promise<Agent> {
    return findOwn(this.agents, { accountID, id }, what);
  }

  /** Newest first. */
  list(accountID: string, { name }: Pick<GetAgentsDto, 'name'>, page: Page): Promise<Listed<Agent>> {
    return listRows(this.agents, { accountID, ...(name && { name }) }, page);
  }

  update(accountID: string, { agentID: id, ...sent }: UpdateAgentDto): Promise<Agent> {
    const changes = { ...agentChanges(sent), updatedAt: new Date(this.clock.now()) };
    return changeOwn(this.agents, { accountID, id }, what, () => changes);
  }

  /** CONFLICT, `in_use`, while a SIP configuration names it. */
  delete(accountID: string, id: string): Promise<void> {
    return deleteOnce(this.agents, accountID, id, what).catch((error: unknown) => {
      if (!isReferenceViolation(error, 'sip_configs_agent')) throw error;
      throw new ServiceError('in_use', 'A SIP configuration uses this agent.');
    });
  }
}
