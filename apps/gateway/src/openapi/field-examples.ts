import type { JsonSchema } from './rule-schemas.js';

const issuedKey = 'tempsandX7kQ2mV9bT4nL8wR3yH6cJ1pD5sF0gZaEuKiBoNtMxWqPvYhCrSdGlUe';

/** An example for each field of the API, by its name; what only some values fit takes one that fits. */
const fieldExamples: Readonly<Record<string, readonly unknown[]>> = {
  userName: ['Ada'],
  roomName: ['Weekly planning'],
  hostName: ['Ada'],
  secureCode: ['sesame-42'],
  metadata: [{ course: 'algebra-1' }],
  displayName: ['Stage camera'],
  reason: ['The show is over.'],
  name: ['Reception', 'Website widget', '720p'],
  email: ['ada@example.com'],
  domain: ['app.example.com'],
  domains: [['app.example.com']],
  nickName: ['main-notes'],
  translationConfigNickName: ['main-notes'],
  sttNickName: ['main-stt'],
  llmNickName: ['main-llm'],
  ttsNickName: ['main-tts'],
  spokenLanguages: [['en', 'pt-BR']],
  listenLanguages: [['es']],
  provider: ['openai', 'carrier-one'],
  model: ['gpt-4o'],
  voice: ['alloy'],
  transcriber: ['nova-2'],
  language: ['en'],
  apiKey: ['a-key-of-the-provider', issuedKey],
  sandbox: [issuedKey],
  production: [issuedKey],
  apiUserName: ['AdaLovelace1815'],
  maskedApiKey: ['sk-a…'],
  maskedKey: ['tempsand…4fQz'],
  maskedPassword: ['••••••••'],
  baseUrl: ['https://api.example.com/v1'],
  webhookUrl: ['https://app.example.com/hooks/agent'],
  options: [{ region: 'eu' }],
  role: ['participant', 'member', 'administrator', 'Receptionist'],
  instructions: ['You answer calls of a dental clinic.'],
  firstMessage: ['Hello {name}, how can I help?'],
  responseGuidelines: ['Keep answers short.'],
  temperature: [0.7],
  maxSessionMinutes: [30],
  todo: [['Reconnect the tool book_appointment.']],
  contactNumber: ['+14155550100'],
  allowedIPs: [['192.0.2.0/24']],
  host: ['sip.example.com'],
  port: [5060],
  username: ['trunk-1'],
  password: ['a-password'],
  currentPassword: ['a-former-password'],
  newPassword: ['a-longer-password'],
  code: ['492039'],
  duration: [60],
  capacity: [20],
  validityDays: [30],
  overlapHours: [24],
  operations: [['createRoom', 'joinRoom']],
  permissions: [['readRooms']],
  tracks: [['video', 'audio']],
  backgroundColor: ['#000000'],
  nameTagsColor: ['#ffffff'],
  maxDurationSeconds: [3600],
  pausesLimit: [10],
  retentionDays: [30],
  codec: ['H264'],
  mimeType: ['video/H264'],
  payloadType: [102],
  rtxPayloadType: [103],
  clockRate: [90_000],
  channels: [2],
  parameters: [{ 'packetization-mode': 1 }],
  width: [1280],
  height: [720],
  frameRate: [30],
  videoBitrate: [2_500_000],
  audioBitrate: [128_000],
  codecs: ['avc1.64001f,mp4a.40.2'],
  url: ['https://media.example.com/whip/ext_V1StGXR8Z5jdHi6BmyT0aB', 'wss://media.example.com/v1/socket'],
  endpoint: ['https://media.example.com/whep/play_V1StGXR8Z5jdHi6BmyT0aB'],
  playbackUrl: [
    'https://media.example.com/hls/bcast_V1StGXR8Z5jdHi6BmyT0aB/index.m3u8?token=eyJhbGciOiJFZERTQSJ9.e30.c2ln',
  ],
  token: ['eyJhbGciOiJFZERTQSJ9.e30.c2ln', 'V1StGXR8Z5jdHi6BmyT0aBV1StGXR8Z5jdHi6BmyT0a'],
  keyframeIntervalSeconds: [2],
  nodeID: ['sfu-1'],
  publicUrl: ['https://media.example.com'],
  internalUrl: ['http://10.0.0.7:4001'],
  epoch: [1_795_256_130_000],
  kid: ['Zk9JgQ'],
  publishedKids: [['Zk9JgQ']],
  pageSize: [20],
};

const identifierPrefixes: Readonly<Record<string, string>> = {
  meetingID: 'room',
  sessionID: 'ext',
  sourceSessionID: 'ext',
  sourceParticipantID: 'part',
  trackID: 'trk',
  participantID: 'part',
  playbackID: 'play',
  broadcastID: 'bcast',
  recordingID: 'rec',
  keyID: 'key',
  domainID: 'dom',
  subUserID: 'sub',
  aiCredentialID: 'cred',
  sipConfigID: 'sip',
  translationConfigID: 'tcfg',
  agentID: 'agent',
  accountID: 'acct',
};

/** An example that the field's own schema takes; the name decides among those that would. */
export function exampleFor(field: string, schema: JsonSchema): unknown {
  const prefix = identifierPrefixes[field];
  const byName = prefix === undefined ? (fieldExamples[field] ?? []) : [`${prefix}_V1StGXR8Z5jdHi6BmyT0aB`];
  return byName.find(value => fits(value, schema)) ?? plainExample(schema, field);
}

function fits(value: unknown, schema: JsonSchema): boolean {
  const type = Array.isArray(value) ? 'array' : typeof value;
  const types = [schema.type ?? type].flat().map(each => (each === 'integer' ? 'number' : each));
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (typeof schema['pattern'] === 'string' && typeof value === 'string') {
    if (!new RegExp(schema['pattern']).test(value)) return false;
  }
  if (typeof schema['minLength'] === 'number' && String(value).length < schema['minLength']) return false;
  return types.includes(type);
}

/** Where no name is known: the plainest value of the type. */
function plainExample(schema: JsonSchema, field: string): unknown {
  const [fixed] = [schema['const'], schema.enum?.[0], schema['minimum']].filter(value => value !== undefined);
  if (fixed !== undefined) return fixed;
  const [type] = [schema.type ?? 'string'].flat();
  if (type === 'array') return schema.items ? [plainExample(schema.items, field)] : [];
  if (type === 'string' && schema['format'] === 'date-time') return '2026-11-21T10:15:30.000Z';
  return plainValues[type ?? 'string'];
}

const plainValues: Readonly<Record<string, unknown>> = {
  string: 'setting_V1StGXR8Z5jdHi6BmyT0aB',
  boolean: true,
  integer: 1,
  number: 1,
  object: {},
};
