/** The columns of a row under their names in the API, as the triggers write them. */
export type Row = Readonly<Record<string, unknown>>;

export type NotedKind =
  | 'room'
  | 'externalSession'
  | 'participant'
  | 'playback'
  | 'broadcast'
  | 'recording'
  | 'restream'
  | 'balance'
  | 'key'
  | 'disposableKey'
  | 'domain'
  | 'subUser'
  | 'eventsSetting'
  | 'recordingSetting'
  | 'aiCredential'
  | 'agent'
  | 'sipConfig'
  | 'translationConfig'
  | 'webhook';

/** Of a room's resources. */
export function meetingIDOf(kind: NotedKind, { meetingID }: Row): string | null {
  return kind !== 'disposableKey' && typeof meetingID === 'string' ? meetingID : null;
}

/** Returns the data of the kind's schema in `event-types.ts`. */
export function dataOf(kind: NotedKind, noted: Row): Row {
  const row = withTimes(noted);
  switch (kind) {
    case 'participant':
      return participantData(row);
    case 'recording':
      return recordingData(row);
    case 'broadcast':
      return broadcastData(row);
    case 'restream': {
      const { targetProtocol: protocol, ...data } = row;
      return { ...data, target: { protocol } };
    }
    case 'balance':
      return {
        keyType: row['keyType'],
        meetingMinutes: wholeMinutes(row['meetingMs']),
        recordingMinutes: wholeMinutes(row['recordingMs']),
      };
    case 'key': {
      const { keyID, type, createdAt, expiresAt } = row;
      return { keyID, type, createdAt, expiresAt };
    }
    case 'disposableKey': {
      const { revokedAt: _, ...data } = row;
      return data;
    }
    default:
      return row;
  }
}

/** PostgreSQL writes `2026-11-21T10:15:30+00:00` into JSON. */
function withTimes(row: Row): Row {
  const present = (name: string, value: unknown) =>
    name.endsWith('At') && typeof value === 'string' ? new Date(value).toISOString() : value;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, present(name, value)]));
}

function participantData({ state, isConnected, joinedAt, connectedAt, tracks: _, ...row }: Row): Row {
  const connection = isConnected === true ? 'connected' : 'disconnected';
  return { ...row, state: state === 'left' ? 'left' : connection, joinedAt: connectedAt ?? joinedAt };
}

/** A gateway of a former version notes fewer columns. */
function broadcastData({ slateImageUrl, slateProblem, ...row }: Row): Row {
  const slate = slateImageUrl ? { imageUrl: slateImageUrl, problem: slateProblem } : null;
  const latency = row['latency'] ?? 'normal';
  return { ...row, layout: row['layout'] ?? 'source', dvrSeconds: row['dvrSeconds'] ?? 0, latency, slate };
}

function recordingData({ sourceSessionID, sourceParticipantID, durationSeconds, keyType: _, ...row }: Row): Row {
  const source = { sessionID: sourceSessionID, participantID: sourceParticipantID };
  const { startedAt, endedAt } = row;
  const measured =
    typeof startedAt === 'string' && typeof endedAt === 'string'
      ? Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) / 1000
      : null;
  return { ...row, source, layout: row['layout'] ?? null, durationSeconds: durationSeconds ?? measured };
}

/** Rounds down, and shows a negative balance as 0. */
function wholeMinutes(ms: unknown): number {
  return Math.max(0, Math.floor(Number(ms) / 60_000));
}
