import { agentBounds, agentDefaults } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, recordTimes } from '../../platform/http/answers.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { flag, httpsURL, idOf, queryText, text, whole } from '../../platform/http/fields.js';
import { presentFields } from '../../platform/http/present.js';
import type { Agent } from './agent.entity.js';

const { temperature, sessionMinutes, todo, reference: referenceBounds } = agentBounds;
const temperatureError = `must be a number from ${temperature.min} to ${temperature.max}.`;
const todoError = `must be a list of at most ${todo.items} texts of 1 to ${todo.characters} characters.`;

const agentFields = {
  name: text(1, agentBounds.name).meta({ description: 'Name of the agent.', examples: ['Reception'] }),
  role: text(1, agentBounds.role).meta({
    description: 'Role of the agent, such as Receptionist. Default: the name.',
    examples: ['Receptionist'],
  }),
  instructions: text(0, agentBounds.instructions).meta({
    description: 'System prompt.',
    examples: ['You answer calls of a dental clinic.'],
  }),
  firstMessage: text(0, agentBounds.firstMessage)
    .nullable()
    .meta({
      description: 'First message. `{name}` stands for a variable.',
      examples: ['Hello {name}, how can I help?'],
    }),
  speaksFirst: flag.describe('Whether the agent speaks first.'),
  temperature: z
    .number({ error: temperatureError })
    .min(temperature.min, { error: temperatureError })
    .max(temperature.max, { error: temperatureError })
    .meta({ description: 'Sampling temperature of the language model.', examples: [0.7] }),
  responseGuidelines: text(0, agentBounds.responseGuidelines)
    .nullable()
    .meta({ description: 'Rules for every answer of the agent.', examples: ['Keep answers short.'] }),
  maxSessionMinutes: whole(sessionMinutes.min, sessionMinutes.max, 'minutes').meta({
    description: 'Greatest length of a session.',
    examples: [30],
  }),
  webhookUrl: httpsURL.nullable().describe('Stored only: the service sends nothing to this address.'),
  todo: z
    .array(text(1, todo.characters, todoError), { error: todoError })
    .max(todo.items, { error: todoError })
    .meta({ description: 'Steps that remain after an import.', examples: [['Reconnect the tool book_appointment.']] }),
};

/** Providers of an imported definition. They have no effect. */
const referenceFields = {
  provider: text(1, referenceBounds.provider)
    .nullable()
    .meta({ description: 'Provider of the language model.', examples: ['openai'] }),
  model: text(1, referenceBounds.model)
    .nullable()
    .meta({ description: 'Language model.', examples: ['gpt-4o'] }),
  voice: text(1, referenceBounds.voice)
    .nullable()
    .meta({ description: 'Voice.', examples: ['alloy'] }),
  transcriber: text(1, referenceBounds.transcriber)
    .nullable()
    .meta({ description: 'Speech-to-text model.', examples: ['nova-2'] }),
  language: text(1, referenceBounds.language)
    .nullable()
    .meta({ description: 'Language.', examples: ['en'] }),
};

const { name, ...otherFields } = agentFields;
const reference = z.strictObject(optional(referenceFields), { error: 'must be an object.' });
export type AgentReference = z.infer<typeof reference>;
const settable = {
  ...otherFields,
  reference: reference.describe('Providers of an imported definition, for reference only.'),
};

/** The fields that an update may change. */
export const changeableFields = { name, ...settable };

export class CreateAgentDto extends Dto({ name, ...optional(settable, agentDefaults) }) {}

export class AgentIDDto extends Dto({ agentID: idOf('an agent') }) {}

export class UpdateAgentDto extends Dto({ agentID: idOf('an agent'), ...optional(changeableFields) }) {}

export class GetAgentsDto extends Dto(optionalQuery({ agentID: queryText(), name: queryText(128) })) {}

export const agentSchema = z
  .object({
    agentID: identifier('agent'),
    ...agentFields,
    reference: z.object(referenceFields).describe('Providers of an imported definition, for reference only.'),
    ...recordTimes,
  })
  .meta({ id: 'Agent', description: 'An AI agent.' });

export function presentAgent(agent: Agent): z.infer<typeof agentSchema> {
  const { provider = null, model = null, voice = null, transcriber = null, language = null } = agent.reference;
  return {
    agentID: agent.id,
    ...presentFields({ ...agentFields, ...recordTimes }, agent),
    reference: { provider, model, voice, transcriber, language },
  };
}
