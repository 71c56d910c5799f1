import { Body, Controller, Query } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Action, ReadAction } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { deleted, one, oneOrList } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentDeleted, presentList, presentOne } from '../../platform/http/present.js';
import { AgentsService } from './agents.service.js';
import { AgentIDDto, CreateAgentDto, GetAgentsDto, UpdateAgentDto, agentSchema, presentAgent } from './agent.dto.js';

@ApiTag({ name: 'Agents', description: 'AI agents. Stored only: the service does not run them.', post: 'postAgents' })
@Controller('v1/agents')
@RequireOperation('manageAgents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Action('create')
  @ApiOperation({ operationId: 'createAgent', summary: 'Create an agent' })
  @ApiAnswer(one('agent', agentSchema))
  async create(@CurrentCaller() { accountID }: Caller, @Body() dto: CreateAgentDto) {
    return presentOne('agent', presentAgent(await this.agents.create(accountID, dto)));
  }

  @ReadAction('get')
  @ApiOperation({
    operationId: 'getAgents',
    summary: 'Read one agent or list agents',
    description: 'With `agentID`, answers that agent. Without it, lists all agents, newest first.',
  })
  @ApiAnswer(oneOrList(['agent', agentSchema], ['agents', agentSchema]))
  async get(
    @CurrentCaller() { accountID }: Caller,
    @Query() { agentID, ...filter }: GetAgentsDto,
    @PageQuery() page: Page,
  ) {
    if (agentID !== undefined) {
      return presentOne('agent', presentAgent(await this.agents.find(accountID, agentID)));
    }
    return presentList('agents', await this.agents.list(accountID, page, filter), page, presentAgent);
  }

  @Action('update')
  @ApiOperation({
    operationId: 'updateAgent',
    summary: 'Change an agent',
    description: 'Changes only the fields that are sent.',
  })
  @ApiAnswer(one('agent', agentSchema))
  async update(@CurrentCaller() { accountID }: Caller, @Body() dto: UpdateAgentDto) {
    return presentOne('agent', presentAgent(await this.agents.update(accountID, dto)));
  }

  @Action('delete')
  @ApiOperation({
    operationId: 'deleteAgent',
    summary: 'Delete an agent',
    description: 'Remove the agent from all SIP configurations first. Repeating the deletion gives the same answer.',
  })
  @ApiAnswer(deleted('agentID'), 'in_use')
  async delete(@CurrentCaller() { accountID }: Caller, @Body() { agentID }: AgentIDDto) {
    await this.agents.delete(accountID, agentID);
    return presentDeleted('agentID', agentID);
  }
}
