import type { KeyType } from '../../platform/auth/caller.js';
import { dataOf, meetingIDOf, type NotedKind, type Row } from './event-data.js';
import type { AccountEventType, EventResourceKind } from './event-types.js';
import { trackChanges } from './track-changes.js';

/** A change that a trigger noted. */
export interface NotedChange {
  kind: string;
  resourceID: string;
  /** null: the row is new. Of an update, only the columns that decide. */
  before: Row | null;
  /** null: the row is deleted. */
  after: Row | null;
}

export interface DecidedEvent {
  type: AccountEventType;
  resource: { kind: EventResourceKind; id: string };
  meetingID: string | null;
  /** `ofRoom`: that of the room `meetingID`. null: both environments share the resource. */
  environment: KeyType | 'ofRoom' | null;
  data: Row;
}

/** An update of a row. */
interface Update {
  before: Row;
  after: Row;
}

/** The types for a row that is new, changed and deleted. */
interface Decision {
  created?: AccountEventType;
  deleted?: AccountEventType;
  updated(update: Update): AccountEventType[];
}

type ReachedStates = Readonly<Record<string, AccountEventType>>;

/** One type for a new state; else the types for other changes. */
function ofState(created: AccountEventType, reached: ReachedStates, other: Decision['updated']): Decision {
  const updated = (update: Update) => {
    if (!isChanged(update, 'state')) return other(update);
    const type = reached[String(update.after['state'])];
    return type ? [type] : [];
  };
  return { created, updated };
}

function lasting(
  family: 'domain' | 'sub_user' | 'settings' | 'ai_credential' | 'agent' | 'sip_config' | 'translation_config',
): Decision {
  return { created: `${family}.created`, updated: () => [`${family}.updated`], deleted: `${family}.deleted` };
}

const key: Decision = { created: 'key.created', updated: keyUpdates, deleted: 'key.deleted' };

const decisions: Record<NotedKind, Decision> = {
  room: ofState('room.created', { ended: 'room.ended' }, () => ['room.updated']),
  externalSession: ofState(
    'external_session.created',
    {
      active: 'external_session.active',
      pending: 'external_session.interrupted',
      ended: 'external_session.ended',
      failed: 'external_session.failed',
    },
    update => [
      ...(isChanged(update, 'displayName') ? (['external_session.updated'] as const) : []),
      ...(isChanged(update, 'health') ? (['external_session.health'] as const) : []),
    ],
  ),
  participant: { created: 'participant.joined', updated: participantUpdates },
  playback: ofState(
    'playback.created',
    { active: 'playback.active', ready: 'playback.idle', ended: 'playback.ended' },
    () => ['playback.viewers'],
  ),
  broadcast: ofState(
    'broadcast.created',
    {
      starting: 'broadcast.updated',
      active: 'broadcast.active',
      interrupted: 'broadcast.interrupted',
      ended: 'broadcast.ended',
      failed: 'broadcast.failed',
    },
    () => ['broadcast.updated'],
  ),
  restream: ofState(
    'restream.created',
    {
      active: 'restream.active',
      retrying: 'restream.retrying',
      ended: 'restream.ended',
      failed: 'restream.failed',
    },
    () => [],
  ),
  recording: {
    ...ofState(
      'recording.created',
      {
        recording: 'recording.started',
        processing: 'recording.stopped',
        ready: 'recording.ready',
        failed: 'recording.failed',
      },
      () => [],
    ),
    deleted: 'recording.deleted',
  },
  balance: { updated: balanceUpdates },
  key,
  disposableKey: key,
  domain: lasting('domain'),
  subUser: lasting('sub_user'),
  eventsSetting: lasting('settings'),
  recordingSetting: lasting('settings'),
  aiCredential: lasting('ai_credential'),
  agent: lasting('agent'),
  sipConfig: lasting('sip_config'),
  translationConfig: lasting('translation_config'),
  webhook: {
    ...ofState('webhook.created', { enabled: 'webhook.enabled', disabled: 'webhook.disabled' }, () => [
      'webhook.updated',
    ]),
    deleted: 'webhook.deleted',
  },
};

/** A newer version may note changes of other kinds. Its own sequencer takes them. */
export const notedKinds = Object.keys(decisions) as readonly NotedKind[];

/** Decides the events of a change, in their order. */
export function decideEvents(change: NotedChange): DecidedEvent[] {
  const kind = change.kind as NotedKind;
  const row = change.after ?? change.before;
  if (!row || !Object.hasOwn(decisions, kind)) return [];
  const meetingID = meetingIDOf(kind, row);
  const environment = environmentOf(kind, row);
  const resource = { kind, id: change.resourceID };
  const own = typesOf(decisions[kind], change).map(type => ({
    ...{ type, resource, meetingID, environment },
    data: dataOf(kind, row),
  }));
  const tracks = trackChanges(change).map(({ type, data }) => ({
    ...{ type, resource: { kind: 'track' as const, id: String(data['trackID']) }, meetingID, environment, data },
  }));
  // A publisher begins before its tracks and ends after them.
  return isOver(own) ? [...tracks, ...own] : [...own, ...tracks];
}

/** Of several counts of viewers that follow each other, only the last one is an event. */
export function withoutPassingCounts<Event extends DecidedEvent>(events: readonly Event[]): Event[] {
  const latest = new Map<string, Event>();
  const dropped = new Set<Event>();
  for (const event of events) {
    if (event.resource.kind !== 'playback') continue;
    const former = latest.get(event.resource.id);
    if (event.type === 'playback.viewers' && former?.type === event.type) dropped.add(former);
    latest.set(event.resource.id, event);
  }
  return events.filter(event => !dropped.has(event));
}

function typesOf(decision: Decision, { before, after }: NotedChange): AccountEventType[] {
  if (before && after) return decision.updated({ before, after });
  const type = after ? decision.created : decision.deleted;
  return type ? [type] : [];
}

function isOver([event]: readonly DecidedEvent[]): boolean {
  return event !== undefined && /\.(?:ended|failed|left|interrupted)$/.test(event.type);
}

const ownEnvironment: readonly NotedKind[] = ['room', 'recording', 'balance', 'webhook'];
const environmentOfRoom: readonly NotedKind[] = [
  ...(['externalSession', 'participant', 'playback', 'broadcast', 'restream'] as const),
];

function environmentOf(kind: NotedKind, row: Row): DecidedEvent['environment'] {
  if (environmentOfRoom.includes(kind)) return 'ofRoom';
  if (ownEnvironment.includes(kind)) return row['keyType'] as KeyType;
  return kind === 'key' || kind === 'disposableKey' ? (row['type'] as KeyType) : null;
}

function isChanged({ before, after }: Update, name: string): boolean {
  return JSON.stringify(before[name]) !== JSON.stringify(after[name]);
}

/** The others see a participant from its first connection on. */
function participantUpdates(update: Update): AccountEventType[] {
  const isSeen = ({ state, connectedAt }: Row) => state === 'joined' && connectedAt !== null;
  const [was, is] = [isSeen(update.before), isSeen(update.after)];
  if (was && is) {
    const shown = ['isConnected', 'userName', 'role', 'granted', 'requests', 'breakout', 'whiteboard'];
    return shown.some(name => isChanged(update, name)) ? ['participant.updated'] : [];
  }
  if (is) return ['participant.joined'];
  return was ? ['participant.left'] : [];
}

function keyUpdates({ before, after }: Update): AccountEventType[] {
  const becomes = (name: string) => before[name] === null && after[name] !== null;
  const types: AccountEventType[] = [
    ...(becomes('supersededAt') ? (['key.superseded'] as const) : []),
    ...(becomes('disabledAt') ? (['key.disabled'] as const) : []),
    ...(typeof before['disabledAt'] === 'string' && after['disabledAt'] === null ? (['key.enabled'] as const) : []),
    ...(becomes('revokedAt') ? (['key.revoked'] as const) : []),
  ];
  return types.length > 0 ? types : ['key.updated'];
}

const minuteMs = 60_000;
/** The triggers have the same thresholds. */
const lowBalances = { meetingMs: 1_000 * minuteMs, recordingMs: 100 * minuteMs };

function balanceUpdates({ before, after }: Update): AccountEventType[] {
  const names = Object.keys(lowBalances) as (keyof typeof lowBalances)[];
  const of = (row: Row, name: string) => Number(row[name]);
  const falls = (name: string, threshold: number) => of(before, name) > threshold && of(after, name) <= threshold;
  return [
    ...(names.some(name => of(after, name) > of(before, name)) ? (['balance.updated'] as const) : []),
    ...(names.some(name => falls(name, lowBalances[name])) ? (['balance.low'] as const) : []),
    ...(names.some(name => falls(name, 0)) ? (['balance.exhausted'] as const) : []),
  ];
}
