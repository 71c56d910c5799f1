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
import { AgentsService } from './agents.service.js';
import { AgentNameDto } from './dto/agent-name.dto.js';
import { CreateAgentDto } from './dto/create-agent.dto.js';
import { GetAgentsDto } from './dto/get-agents.dto.js';
import { UpdateAgentDto } from './dto/update-agent.dto.js';
import { agentSchema, presentAgent, type PresentedAgent } from './present-agent.js';

type AgentAnswer = OneAnswer<'agent', PresentedAgent>;
type AgentsAnswer = ListAnswer<'agents', PresentedAgent>;

/** Who talks with people in rooms and calls. */
@Controller('v1/agents')
@RequireOperation('manageAgents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Action('create')
  @Answers(one('agent', agentSchema))
  async create(@CurrentCaller() { accountID }: Caller, @Body() dto: CreateAgentDto): Promise<AgentAnswer> {
    return presentOne('agent', presentAgent(await this.agents.create(accountID, dto)));
  }

  @ReadAction('get')
  @Answers(oneOrList(['agent', agentSchema], ['agents', agentSchema]))
  async get(
    @CurrentCaller() { accountID }: Caller,
    @Query() { agentID, ...filter }: GetAgentsDto,
    @PageQuery() page: Page,
  ): Promise<AgentAnswer | AgentsAnswer> {
    if (agentID !== undefined) {
      return presentOne('agent', presentAgent(await this.agents.find(accountID, agentID)));
    }
    const { items, total } = await this.agents.list(accountID, filter, page);
    return presentList('agents', items.map(presentAgent), total, page);
  }

  @Action('update')
  @Answers(one('agent', agentSchema))
  async update(@CurrentCaller() { accountID }: Caller, @Body() dto: UpdateAgentDto): Promise<AgentAnswer> {
    return presentOne('agent', presentAgent(await this.agents.update(accountID, dto)));
  }

  @Action('delete')
  @Answers(deleted('agentID'), 'in_use')
  async delete(
    @CurrentCaller() { accountID }: Caller,
    @Body() { agentID }: AgentNameDto,
  ): Promise<DeletedAnswer<'agentID'>> {
    await this.agents.delete(accountID, agentID);
    return presentDeleted('agentID', agentID);
  }
}
