import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { agentDefaults } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { newID } from '../../platform/database/new-id.js';
import { sentChanges } from '../../platform/rows/own-row.js';
import { DeletableRowsService } from '../../platform/rows/own-rows.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { changeableFields, type CreateAgentDto, type UpdateAgentDto } from './agent.dto.js';
import { Agent } from './agent.entity.js';

@Injectable()
export class AgentsService extends DeletableRowsService<Agent> {
  constructor(
    @InjectRepository(Agent) agents: Repository<Agent>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(agents, 'agent', { sip_configs_agent: ['in_use', 'A SIP configuration uses this agent.'] });
  }

  create(accountID: string, dto: CreateAgentDto): Promise<Agent> {
    const now = new Date(this.clock.now());
    const made = { id: newID('agent'), accountID, name: dto.name, role: dto.name, createdAt: now, updatedAt: now };
    return this.insert({ ...made, ...agentDefaults, ...sentChanges(changeableFields, dto) });
  }

  update(accountID: string, { agentID: id, ...sent }: UpdateAgentDto): Promise<Agent> {
    const changes = { ...sentChanges(changeableFields, sent), updatedAt: new Date(this.clock.now()) };
    return this.change({ accountID, id }, () => changes);
  }
}
