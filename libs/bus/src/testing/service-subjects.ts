import {
  broadcastOrigin,
  endpointState,
  ingestCommands,
  ingestQuestions,
  placeRepair,
  relayCommands,
  roomSignalling,
  sfuCommands,
  transcoderCommands,
  type FactType,
  type NodeRole,
} from '@rtms/contracts';

const nodes = { sfu: 'sfu-1', transcoder: 'transcoder-1', ingest: 'ingest-1' };

/** The role that reports each type of fact. */
const reporterOf: Record<FactType, 'sfu' | 'transcoder'> = {
  'external_session.active': 'sfu',
  'external_session.interrupted': 'sfu',
  'external_session.health': 'sfu',
  'external_session.ended': 'sfu',
  'playback.active': 'sfu',
  'playback.idle': 'sfu',
  'playback.ended': 'sfu',
  'broadcast.active': 'transcoder',
  'broadcast.interrupted': 'transcoder',
  'broadcast.ended': 'transcoder',
  'broadcast.failed': 'transcoder',
  'recording.active': 'transcoder',
  'recording.interrupted': 'transcoder',
  'recording.stopped': 'transcoder',
  'recording.ready': 'transcoder',
  'recording.failed': 'transcoder',
  'restream.active': 'transcoder',
  'restream.retrying': 'transcoder',
  'restream.ended': 'transcoder',
  'restream.failed': 'transcoder',
};
export const factSubjects = Object.entries(reporterOf).map(([type, role]) => ({
  role,
  subject: `rtms.fact.${type}.id-1`,
}));

export const allCommands = [
  ...Object.values(sfuCommands).map(command => ({ role: 'sfu' as const, name: command.name })),
  ...Object.values(relayCommands).map(command => ({ role: 'sfu' as const, name: command.name })),
  ...Object.values(transcoderCommands).map(command => ({ role: 'transcoder' as const, name: command.name })),
  ...Object.values(ingestCommands).map(command => ({ role: 'ingest' as const, name: command.name })),
].map(({ role, name }) => ({ role, subject: `rtms.${role}.${nodes[role]}.${name}` }));

/** Requests that a media node may send to another one, or to the gateway. */
export const asked: { from: NodeRole; to: 'gateway' | 'sfu' | 'transcoder'; subject: string }[] = [
  { from: 'sfu', to: 'gateway', subject: endpointState.subject },
  { from: 'sfu', to: 'gateway', subject: placeRepair.subject },
  { from: 'sfu', to: 'sfu', subject: roomSignalling.forResource('room_1').subject },
  ...Object.values(relayCommands).map(command => ({
    from: 'sfu' as const,
    to: 'sfu' as const,
    subject: command.forNode('sfu-1').subject,
  })),
  { from: 'transcoder', to: 'gateway', subject: endpointState.subject },
  { from: 'transcoder', to: 'sfu', subject: sfuCommands.openFeed.forNode('sfu-1').subject },
  { from: 'transcoder', to: 'sfu', subject: sfuCommands.closeFeed.forNode('sfu-1').subject },
  { from: 'transcoder', to: 'sfu', subject: sfuCommands.requestKeyframe.forNode('sfu-1').subject },
  { from: 'transcoder', to: 'sfu', subject: sfuCommands.openRepair.forNode('sfu-1').subject },
  { from: 'transcoder', to: 'sfu', subject: sfuCommands.keepRepair.forNode('sfu-1').subject },
  { from: 'transcoder', to: 'transcoder', subject: broadcastOrigin.forResource('bcast_1').subject },
  {
    from: 'transcoder',
    to: 'transcoder',
    subject: transcoderCommands.recordingOrigin.forNode('transcoder-1').subject,
  },
  ...Object.values(ingestQuestions).map(({ subject }) => ({
    from: 'ingest' as const,
    to: 'gateway' as const,
    subject,
  })),
];
