import { agentDefaults } from '@rtms/contracts';
import { z } from 'zod';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { idOf, queryText } from '../../platform/http/fields.js';
import { agentFields, agentReferenceFields } from './present-agent.js';

const { name, ...otherFields } = agentFields;
const reference = z.strictObject(optional(agentReferenceFields), { error: 'must be an object.' });
const settable = {
  ...otherFields,
  reference: reference.describe('Providers of an imported definition, for reference only.'),
};

export class CreateAgentDto extends Dto({ name, ...optional(settable, agentDefaults) }) {}

export class AgentIDDto extends Dto({ agentID: idOf('an agent') }) {}

export class UpdateAgentDto extends Dto({ agentID: idOf('an agent'), ...optional({ name, ...settable }) }) {}

export class GetAgentsDto extends Dto(optionalQuery({ agentID: queryText(), name: queryText(128) })) {}
