import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/query-keys.js';
import type { ActionFields, ApiRecord } from '../../api/records.js';
import { resource } from '../../api/resource.js';

export type SipConfig = ApiRecord<'SipConfig'>;
export type SipPeer = ApiRecord<'SipPeer'>;
export type SipFields = ActionFields<'SipconfigsCreateBody'>;

export const sipConfigs = resource<SipConfig, SipFields, ActionFields<'SipconfigsUpdateBody'>>({
  path: '/v1/sipconfigs',
  one: 'sipConfig',
  many: 'sipConfigs',
  id: 'sipConfigID',
});

const agents = resource<ApiRecord<'Agent'>>({ path: '/v1/agents', one: 'agent', many: 'agents', id: 'agentID' });

/** Who may answer a number. */
export function useAgentChoices() {
  return useQuery({
    queryKey: shownKey('agent', 'choices'),
    queryFn: async ({ signal }) => {
      const { items } = await agents.list({ startIndex: 0, pageSize: 100 }, {}, signal);
      return items.map(({ agentID, name }) => ({ value: agentID, label: name }));
    },
  });
}
