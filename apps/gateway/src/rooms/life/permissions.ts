import {
  type EventOptions,
  type EventType,
  type ParticipantRequest,
  type ParticipantRole,
  type Permission,
  type TrackSource,
  ServiceError,
} from '@rtms/contracts';
import type { Participant } from '../records/participant.entity.js';

/** The holder of permissions. */
interface Holder {
  role: ParticipantRole;
  /** The permissions that a host gave in addition to the settings. */
  granted: readonly ParticipantRequest[];
}

export type Settings = Pick<
  EventOptions,
  'type' | 'audioSetting' | 'videoSetting' | 'screenshareSetting' | 'chatSetting'
>;

type MediaRequest = Exclude<ParticipantRequest, 'raiseHand'>;

/** The track sources of each request. */
const sourcesOfRequest: Readonly<Record<MediaRequest, readonly TrackSource[]>> = {
  audio: ['microphone'],
  video: ['camera'],
  screenshare: ['screen', 'screenAudio'],
};
const mediaRequests: readonly MediaRequest[] = ['audio', 'video', 'screenshare'];

/** How a role may publish in a room of an event type: always, as the settings say, only on request, or never. */
type Publishing = 'always' | 'settings' | 'onRequest' | 'never';
const publishing: Readonly<Record<EventType, Readonly<Record<ParticipantRole, Publishing>>>> = {
  conference: { host: 'always', cohost: 'always', participant: 'settings', viewer: 'onRequest' },
  webinar: { host: 'always', cohost: 'always', participant: 'settings', viewer: 'never' },
  broadcast: { host: 'always', cohost: 'always', participant: 'settings', viewer: 'never' },
  chat: { host: 'never', cohost: 'never', participant: 'never', viewer: 'never' },
};

export function isHost(role: ParticipantRole): boolean {
  return role === 'host' || role === 'cohost';
}

/** Whether a role may mute, remove, admit or assign another role. */
export function mayControl(role: ParticipantRole, other: ParticipantRole): boolean {
  return role === 'host' || (role === 'cohost' && !isHost(other));
}

export function mayChat(settings: Settings, role: ParticipantRole): boolean {
  return isHost(role) || settings.chatSetting === 'allow';
}

/** Whether a media request is allowed at once, needs the approval of a host, or is disallowed. */
export function permissionFor(settings: Settings, role: ParticipantRole, request: MediaRequest): Permission {
  const limit = publishing[settings.type][role];
  switch (limit) {
    case 'always':
      return 'allow';
    case 'never':
      return 'disallow';
    case 'settings':
      return settingOf(settings, request);
    case 'onRequest':
      return settingOf(settings, request) === 'disallow' ? 'disallow' : 'approval';
    default:
      return limit satisfies never;
  }
}

/** The sources that the holder may publish now. */
export function mayPublish(settings: Settings, { role, granted }: Holder): TrackSource[] {
  const allowed = mediaRequests.filter(request => {
    const permission = permissionFor(settings, role, request);
    return permission === 'allow' || (permission === 'approval' && granted.includes(request));
  });
  return allowed.flatMap(request => sourcesOfRequest[request]);
}

function settingOf(settings: Settings, request: MediaRequest): Permission {
  switch (request) {
    case 'audio':
      return settings.audioSetting;
    case 'video':
      return settings.videoSetting;
    case 'screenshare':
      return settings.screenshareSetting;
    default:
      return request satisfies never;
  }
}

/** A connection and the participant that it claims to be. */
export interface Speaker {
  participantID: string;
  meetingID: string;
  connectionID: string;
}

/** Only the last connection of a participant may act. */
export function requireCurrent(row: Participant | null | undefined, { connectionID }: Speaker): Participant {
  if (!row) throw new ServiceError('participant_left', 'This participant has left the room.');
  if (row.connectionID === connectionID) return row;
  throw new ServiceError('invalid_credentials', 'Another connection has replaced this one.');
}
