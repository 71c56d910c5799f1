import { agentDefaults } from '@rtms/contracts';
import { sentChanges } from '../../platform/rows/own-row.js';
import { newID } from '../../platform/database/new-id.js';
import type { Agent } from './agent.entity.js';
import type { CreateAgentDto, UpdateAgentDto } from './agent.dto.js';

const nullable = ['firstMessage', 'responseGuidelines', 'webhookUrl'] as const;
const fields = [
  ...nullable,
  'name',
  'role',
  'instructions',
  'speaksFirst',
  'temperature',
  'maxSessionMinutes',
  'todo',
  'reference',
] as const;

/** A new agent from what was asked for; whatever was left out gets its default. */
export function makeAgent(accountID: string, dto: CreateAgentDto, now: Date): Agent {
  const made = { id: newID('agent'), accountID, name: dto.name, role: dto.name, createdAt: now, updatedAt: now };
  return { ...made, ...agentDefaults, ...agentChanges(dto) };
}

export function agentChanges(sent: Omit<UpdateAgentDto, 'agentID'>): Partial<Agent> {
  return sentChanges(sent, fields, nullable) as Partial<Agent>;
}
