/** A table whose changes are events of an account. */
export interface EventTable {
  table: string;
  /** The kind of its rows in the outbox. */
  kind: string;
  /** Default: `id`. */
  id?: string;
  /** An update that changes none of these columns is no event. */
  watched: readonly string[];
  /** The columns of an event by their names in the API. Never a secret, a hash or a text that only few operations may read. */
  shown: Readonly<Record<string, string>>;
  /** Writes without events, as a condition on NEW. */
  onInsert?: string;
  /** Replaces the condition of an update. */
  onUpdate?: string;
  /** Rows of rooms and their media go only by retention, a year after their end. */
  hasDelete: boolean;
}

const life = { createdAt: 'created_at', activatedAt: 'activated_at', endedAt: 'ended_at', endReason: 'end_reason' };
const endNote = { reason: 'reason' };
const wasOrIsConnected = 'OLD.connected_at IS NOT NULL OR NEW.connected_at IS NOT NULL';

/** Each time below which a balance is low, in milliseconds: 1,000 meeting minutes and 100 recording minutes. */
const lowBalances = { meeting_ms: 60_000_000, recording_ms: 6_000_000 };

/** Usage lowers a balance each minute. Only growth and the way below a threshold are events. */
const balanceEvent = Object.entries(lowBalances)
  .flatMap(([column, low]) => [
    `NEW.${column} > OLD.${column}`,
    ...[low, 0].map(threshold => `(OLD.${column} > ${threshold} AND NEW.${column} <= ${threshold})`),
  ])
  .join(' OR ');

const tables: readonly EventTable[] = [
  {
    ...{ table: 'rooms', kind: 'room', hasDelete: false },
    watched: ['state', 'duration', 'capacity', 'metadata', 'expires_at'],
    shown: {
      ...{ meetingID: 'id', roomName: 'room_name', eventType: 'event_type', state: 'state', keyType: 'key_type' },
      ...{ hostName: 'host_name', duration: 'duration', capacity: 'capacity', metadata: 'metadata' },
      ...{ createdAt: 'created_at', expiresAt: 'expires_at', endedAt: 'ended_at', endReason: 'end_reason' },
    },
  },
  {
    ...{ table: 'external_sessions', kind: 'externalSession', hasDelete: false },
    watched: ['state', 'display_name', 'tracks', 'health'],
    shown: {
      ...{ sessionID: 'id', meetingID: 'meeting_id', participantID: 'participant_id', displayName: 'display_name' },
      ...{ protocol: 'protocol', state: 'state', tracks: 'tracks', health: 'health' },
      ...{ ...life, ...endNote },
    },
  },
  {
    ...{ table: 'playbacks', kind: 'playback', hasDelete: false },
    watched: ['state', 'viewer_count'],
    shown: {
      ...{ playbackID: 'id', meetingID: 'meeting_id', sourceSessionID: 'source_session_id', tracks: 'tracks' },
      ...{ state: 'state', payloadMatching: 'payload_matching', viewerCount: 'viewer_count', ...life, ...endNote },
    },
  },
  {
    ...{ table: 'broadcasts', kind: 'broadcast', hasDelete: false },
    watched: ['state', 'renditions'],
    shown: {
      ...{ broadcastID: 'id', meetingID: 'meeting_id', sourceSessionID: 'source_session_id' },
      ...{ sourceParticipantID: 'source_participant_id', state: 'state', renditions: 'renditions' },
      ...{ ...life, ...endNote },
    },
  },
  {
    ...{ table: 'recordings', kind: 'recording', hasDelete: true },
    watched: ['state'],
    shown: {
      ...{ recordingID: 'id', meetingID: 'meeting_id', keyType: 'key_type', sourceSessionID: 'source_session_id' },
      ...{ sourceParticipantID: 'source_participant_id', state: 'state', createdAt: 'created_at' },
      ...{ startedAt: 'activated_at', endedAt: 'ended_at', endReason: 'end_reason' },
      ...{ durationSeconds: 'duration_seconds', sizeBytes: 'size_bytes', format: 'format', width: 'width' },
      ...{ height: 'height', checksumSha256: 'checksum_sha256', expiresAt: 'expires_at' },
      ...{ previousRecordingID: 'previous_recording_id' },
    },
  },
  {
    ...{ table: 'participants', kind: 'participant', hasDelete: false },
    watched: [
      ...['state', 'connected_at', 'is_connected', 'user_name', 'role', 'tracks', 'granted', 'requests'],
      ...['breakout', 'whiteboard'],
    ],
    onInsert: 'NEW.connected_at IS NOT NULL',
    onUpdate: wasOrIsConnected,
    shown: {
      ...{ participantID: 'id', meetingID: 'meeting_id', kind: 'kind', sessionID: 'session_id' },
      ...{ userName: 'user_name', role: 'role', state: 'state', isConnected: 'is_connected', tracks: 'tracks' },
      ...{ granted: 'granted', requests: 'requests', breakout: 'breakout', whiteboard: 'whiteboard' },
      ...{ joinedAt: 'joined_at', connectedAt: 'connected_at', leftAt: 'left_at', leaveReason: 'leave_reason' },
    },
  },
  {
    ...{ table: 'balances', kind: 'balance', id: 'key_type', hasDelete: false },
    watched: Object.keys(lowBalances),
    onInsert: 'false',
    onUpdate: balanceEvent,
    shown: { keyType: 'key_type', meetingMs: 'meeting_ms', recordingMs: 'recording_ms' },
  },
  {
    ...{ table: 'api_keys', kind: 'key', hasDelete: true },
    watched: ['superseded_at', 'expires_at', 'disabled_at', 'revoked_at'],
    shown: {
      ...{ keyID: 'id', type: 'type', subUserID: 'sub_user_id', createdAt: 'created_at', expiresAt: 'expires_at' },
      ...{ supersededAt: 'superseded_at', disabledAt: 'disabled_at', revokedAt: 'revoked_at' },
    },
  },
  {
    ...{ table: 'disposable_keys', kind: 'disposableKey', hasDelete: true },
    watched: ['name', 'operations', 'domains', 'meeting_ids', 'max_role', 'validity_days', 'expires_at', 'revoked_at'],
    shown: {
      ...{ keyID: 'id', name: 'name', type: 'type', operations: 'operations', maxRole: 'max_role' },
      ...{ createdAt: 'created_at', expiresAt: 'expires_at', revokedAt: 'revoked_at' },
    },
  },
  {
    ...{ table: 'domains', kind: 'domain', hasDelete: true },
    watched: ['domain', 'enabled'],
    shown: { domainID: 'id', domain: 'domain', enabled: 'enabled', createdAt: 'created_at' },
  },
  {
    ...{ table: 'sub_users', kind: 'subUser', hasDelete: true },
    watched: ['name', 'email', 'role', 'permissions', 'state'],
    shown: { subUserID: 'id', name: 'name', role: 'role', state: 'state', createdAt: 'created_at' },
  },
  {
    ...{ table: 'event_settings', kind: 'eventsSetting', hasDelete: true },
    watched: ['updated_at'],
    shown: {
      ...{ eventsSettingID: 'id', type: 'type', createdAt: 'created_at', updatedAt: 'updated_at' },
      ...{ audioSetting: 'audio_setting', videoSetting: 'video_setting', screenshareSetting: 'screenshare_setting' },
      ...{ chatSetting: 'chat_setting', targetResolution: 'target_resolution', addCoHost: 'add_co_host' },
      ...{ enableAiNotes: 'enable_ai_notes', translationConfigNickName: 'translation_config_nick_name' },
    },
  },
  {
    ...{ table: 'recording_settings', kind: 'recordingSetting', hasDelete: true },
    watched: ['updated_at'],
    shown: {
      ...{ recordingSettingID: 'id', createdAt: 'created_at', updatedAt: 'updated_at' },
      ...{ mediaOptions: 'media_options', audioOptions: 'audio_options', videoOptions: 'video_options' },
      ...{ videoType: 'video_type', videoOptimized: 'video_optimized', addHLS: 'add_hls', nameTags: 'name_tags' },
      ...{ recordingDisplayType: 'recording_display_type', backgroundColor: 'background_color' },
      ...{ nameTagsColor: 'name_tags_color', orientation: 'orientation', pausesLimit: 'pauses_limit' },
      ...{ maxDurationSeconds: 'max_duration_seconds', retentionDays: 'retention_days' },
    },
  },
  {
    ...{ table: 'ai_credentials', kind: 'aiCredential', hasDelete: true },
    watched: ['updated_at'],
    shown: {
      ...{ aiCredentialID: 'id', nickName: 'nick_name', kind: 'kind', provider: 'provider', model: 'model' },
      ...{ createdAt: 'created_at', updatedAt: 'updated_at' },
    },
  },
  {
    ...{ table: 'agents', kind: 'agent', hasDelete: true },
    watched: ['updated_at'],
    shown: {
      ...{ agentID: 'id', name: 'name', role: 'role', maxSessionMinutes: 'max_session_minutes' },
      ...{ createdAt: 'created_at', updatedAt: 'updated_at' },
    },
  },
  {
    ...{ table: 'sip_configs', kind: 'sipConfig', hasDelete: true },
    watched: ['updated_at'],
    shown: {
      ...{ sipConfigID: 'id', contactNumber: 'contact_number', provider: 'provider', agentID: 'agent_id' },
      ...{ supportSipActive: 'support_sip_active', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
  },
  {
    ...{ table: 'translation_configs', kind: 'translationConfig', hasDelete: true },
    // The names of credentials follow without a new updated_at.
    watched: ['updated_at', 'stt_nick_name', 'llm_nick_name', 'tts_nick_name'],
    shown: {
      ...{ translationConfigID: 'id', nickName: 'nick_name', sttNickName: 'stt_nick_name' },
      ...{ llmNickName: 'llm_nick_name', ttsNickName: 'tts_nick_name', spokenLanguages: 'spoken_languages' },
      ...{ listenLanguages: 'listen_languages', outputMode: 'output_mode' },
      ...{ createdAt: 'created_at', updatedAt: 'updated_at' },
    },
  },
];

function rowAsJson(row: 'OLD' | 'NEW', shown: EventTable['shown']): string {
  const pairs = Object.entries(shown).map(([name, column]) => `'${name}', ${row}.${column}`);
  return `jsonb_build_object(${pairs.join(', ')})`;
}

/** One function for each table. Before an update only the watched columns count. */
export function noteFunction({ table, kind, id = 'id', shown, watched }: EventTable): string {
  const insert = (row: 'OLD' | 'NEW', before: string, after: string) => `
    INSERT INTO event_outbox (account_id, kind, resource_id, before, after, request_id)
    VALUES (${row}.account_id, '${kind}', ${row}.${id}, ${before}, ${after}, event_request_id());`;
  const [old, now] = [rowAsJson('OLD', shown), rowAsJson('NEW', shown)];
  const compared = Object.fromEntries(Object.entries(shown).filter(([, column]) => watched.includes(column)));
  return `
CREATE FUNCTION note_event_of_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN ${insert('NEW', rowAsJson('OLD', compared), now)}
  ELSIF TG_OP = 'INSERT' THEN ${insert('NEW', 'NULL', now)}
  ELSE ${insert('OLD', old, 'NULL')}
  END IF;
  RETURN NULL;
END $$;`;
}

/** As `noteFunction`, for a table whose events show more columns than before. */
export function replacedNoteFunction(name: string, added: EventTable['shown']): string {
  const table = tables.find(each => each.table === name);
  if (!table) throw new Error(`${name} has no events.`);
  return replaceNoteFunction({ ...table, shown: { ...table.shown, ...added } });
}

export function replaceNoteFunction(table: EventTable): string {
  return noteFunction(table).replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION');
}

/** The functions that write to the outbox. */
export const noteFunctions = tables.map(noteFunction).join('\n');

/**
 * PostgreSQL evaluates `OF` and `WHEN` without a call of the function, so an update that changes no watched column costs nothing.
 */
export function noteTriggersOf({ table, watched, onInsert, onUpdate, hasDelete }: EventTable): string[] {
  const rowOf = (row: string) => `(${watched.map(column => `${row}.${column}`).join(', ')})`;
  const changed = `${rowOf('OLD')} IS DISTINCT FROM ${rowOf('NEW')}${onUpdate ? ` AND (${onUpdate})` : ''}`;
  const trigger = (name: string, event: string, condition?: string) =>
    `CREATE OR REPLACE TRIGGER ${table}_${name} AFTER ${event} ON ${table} FOR EACH ROW ` +
    `${condition ? `WHEN (${condition}) ` : ''}EXECUTE FUNCTION note_event_of_${table}()`;
  return [
    ...(onInsert === 'false' ? [] : [trigger('noted_at_insert', 'INSERT', onInsert)]),
    trigger('noted_at_update', `UPDATE OF ${watched.join(', ')}`, changed),
    ...(hasDelete ? [trigger('noted_at_delete', 'DELETE')] : []),
  ];
}

/** The triggers of each table. */
export const noteTriggers: readonly string[] = tables.flatMap(noteTriggersOf);
