import type { Account } from './account.js';
import type { ApiAnswer, ApiClient } from './api-client.js';

/** Examples for every page: the resources of an account after some use. */
export async function addExamples({ api, accountID }: Account): Promise<{
  meetingID: string;
  sessionID: string;
  accountID: string;
  webhookID: string;
}> {
  for (const [path, records] of Object.entries(examples)) {
    for (const record of records) await create(api, path, record);
  }
  const over = await create(api, '/v1/rooms', { userName: 'Grace', roomName: 'Weekly review' });
  await must(api, '/v1/rooms', { action: 'end', meetingID: over.room.meetingID });
  const { room } = await create(api, '/v1/rooms', { userName: 'Ada', roomName: 'Product launch', capacity: 500 });
  await api.join(room.meetingID, 'Lin');
  const { sessionID } = await api.openSession(room.meetingID);
  const { webhook } = await create(api, '/v1/webhooks', {
    url: 'https://app.example.com/events',
    eventTypes: ['room.*'],
  });
  // The delivery never succeeds: nobody can register a name below example.com.
  await must(api, '/v1/webhooks', { action: 'test', webhookID: webhook.webhookID });
  return { meetingID: room.meetingID, sessionID, accountID, webhookID: webhook.webhookID };
}

const examples: Record<string, object[]> = {
  '/v1/domains': [{ domain: 'shop.example.com' }, { domain: '*.learn.example.org', enabled: false }],
  '/v1/disposable-keys': [
    { name: 'Chat widget', type: 'sandbox', validityDays: 30, operations: ['createRoom', 'joinRoom'] },
    { name: 'Kiosk', type: 'sandbox', validityDays: null, operations: ['joinRoom'], domains: ['shop.example.com'] },
  ],
  '/v1/subusers': [
    { name: 'Grace Hopper', email: 'grace@example.com', role: 'parent' },
    { name: 'Lin Chen', email: 'lin@example.com', role: 'member', permissions: ['readRooms', 'readLogs'] },
  ],
  '/v1/aicredentials': [
    { nickName: 'ears', kind: 'stt', provider: 'listener', model: 'l-2', apiKey: 'example-key-of-ears' },
    { nickName: 'mind', kind: 'llm', provider: 'northwind', model: 'nw-4', apiKey: 'example-key-of-mind' },
    { nickName: 'voice', kind: 'tts', provider: 'larynx', apiKey: 'example-key-of-voice' },
  ],
  '/v1/translationconfigs': [
    { nickName: 'conference', sttNickName: 'ears', llmNickName: 'mind', ttsNickName: 'voice', outputMode: 'audio' },
  ],
  '/v1/agents': [
    { name: 'Ferry Line', role: 'Sales', todo: ['Recreate the tool “find_crossing”.'], reference: { model: 'nw-4' } },
    { name: 'Harbour Desk', instructions: 'You answer for the harbour office.' },
  ],
  '/v1/sipconfigs': [
    { contactNumber: '+4930123456', provider: 'Example Telecom', allowedIPs: ['192.0.2.0/24'] },
    { contactNumber: '+4930123457', peer: { host: 'sip.example.com', username: 'rtms', password: 'example-secret' } },
  ],
  '/v1/eventssettings': [{ type: 'webinar', audioSetting: 'approval' }],
};

function create(api: ApiClient, path: string, fields: object): Promise<ApiAnswer['body']> {
  return must(api, path, { action: 'create', ...fields });
}

async function must(api: ApiClient, path: string, body: object): Promise<ApiAnswer['body']> {
  const answer = await api.call('POST', path, body);
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
