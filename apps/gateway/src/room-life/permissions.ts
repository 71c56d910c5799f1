import type {
  EventOptions,
  EventType,
  ParticipantRequest,
  ParticipantRole,
  Permission,
  TrackSource,
} from '@rtms/contracts';

/** Whose permission is asked for. */
export interface Holder {
  role: ParticipantRole;
  /** What a host allowed besides the settings. */
  granted: readonly ParticipantRequest[];
}

export type Settings = Pick<
  EventOptions,
  'type' | 'audioSetting' | 'videoSetting' | 'screenshareSetting' | 'chatSetting'
>;

type MediaRequest = Exclude<ParticipantRequest, 'raiseHand'>;

/** What each request is for. */
export const sourcesOfRequest: Readonly<Record<MediaRequest, readonly TrackSource[]>> = {
  audio: ['microphone'],
  video: ['camera'],
  screenshare: ['screen', 'screenAudio'],
};
const mediaRequests: readonly MediaRequest[] = ['audio', 'video', 'screenshare'];

/** How far a role may publish in a room of a type: without asking, as the settings say, on request only, not at all. */
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

/** Whether one may mute, remove, admit or assign the other. */
export function mayControl(role: ParticipantRole, other: ParticipantRole): boolean {
  return role === 'host' || (role === 'cohost' && !isHost(other));
}

export function mayChat(settings: Settings, role: ParticipantRole): boolean {
  return isHost(role) || settings.chatSetting === 'allow';
}

/** What becomes of a request for media: allowed at once, to be decided by a host, or not possible here. */
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

/** What one may publish now. */
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
