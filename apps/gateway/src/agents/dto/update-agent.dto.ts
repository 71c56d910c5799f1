import { IntersectionType, PartialType } from '@nestjs/mapped-types';
import { AgentNameDto } from './agent-name.dto.js';
import { CreateAgentDto } from './create-agent.dto.js';

/** Only what is sent changes. */
export class UpdateAgentDto extends IntersectionType(AgentNameDto, PartialType(CreateAgentDto)) {}
