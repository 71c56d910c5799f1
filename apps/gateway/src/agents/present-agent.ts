import { z } from 'zod';
import { count, identifier, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import type { Agent } from './agent.entity.js';

export const agentSchema = z
  .object({
    agentID: identifier('agent'),
    name: z.string(),
    role: z.string(),
    instructions: z.string(),
    firstMessage: z.string().nullable(),
    speaksFirst: z.boolean(),
    temperature: z.number().min(0).max(1),
    responseGuidelines: z.string().nullable(),
    maxSessionMinutes: count,
    webhookUrl: z.string().nullable(),
    todo: z.array(z.string()),
    reference: z.object({
      provider: z.string().nullable(),
      model: z.string().nullable(),
      voice: z.string().nullable(),
      transcriber: z.string().nullable(),
      language: z.string().nullable(),
    }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Agent' });
export type PresentedAgent = z.infer<typeof agentSchema>;

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
