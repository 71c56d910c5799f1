import { presentTime } from '../http/present.js';
import type { Agent, AgentReference } from './agent.entity.js';

export interface PresentedAgent {
  agentID: string;
  name: string;
  role: string;
  instructions: string;
  firstMessage: string | null;
  speaksFirst: boolean;
  temperature: number;
  responseGuidelines: string | null;
  maxSessionMinutes: number;
  webhookUrl: string | null;
  todo: string[];
  reference: Required<AgentReference>;
  createdAt: string;
  updatedAt: string;
}

export function presentAgent(agent: Agent): PresentedAgent {
  const { provider = null, model = null, voice = null, transcriber = null, language = null } = agent.reference;
  return {
    agentID: agent.id,
    name: agent.name,
    role: agent.role,
    instructions: agent.instructions,
    firstMessage: agent.firstMessage,
    speaksFirst: agent.speaksFirst,
    temperature: agent.temperature,
    responseGuidelines: agent.responseGuidelines,
    maxSessionMinutes: agent.maxSessionMinutes,
    webhookUrl: agent.webhookUrl,
    todo: agent.todo,
    reference: { provider, model, voice, transcriber, language },
    createdAt: presentTime(agent.createdAt),
    updatedAt: presentTime(agent.updatedAt),
  };
}
