import type { ActionFields, ApiRecord } from '../../api/records.js';
import { resource } from '../../api/resource.js';

export type Agent = ApiRecord<'Agent'>;

export const agents = resource<Agent, ActionFields<'AgentsCreateBody'>, ActionFields<'AgentsUpdateBody'>>({
  path: '/v1/agents',
  one: 'agent',
  many: 'agents',
  id: 'agentID',
});
