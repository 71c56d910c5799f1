import { Length } from 'class-validator';

export class AgentNameDto {
  @Length(1, 64, { message: 'agentID must be the identifier of an agent.' })
  agentID!: string;
}
