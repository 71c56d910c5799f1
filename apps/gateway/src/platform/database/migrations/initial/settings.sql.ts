const ownedColumns = `
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),`;

/** `owner_id`: the account, or the sub-user with settings of its own. */
const settingsColumns = `
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  owner_id text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),`;

/** A reference by nickname to a credential of one kind. It follows when the credential is renamed. */
function referenceTo(kind: 'stt' | 'llm' | 'tts'): string {
  return `
  CONSTRAINT translation_configs_${kind}_kind CHECK (${kind}_kind = '${kind}'),
  CONSTRAINT translation_configs_${kind} FOREIGN KEY (account_id, ${kind}_nick_name, ${kind}_kind)
    REFERENCES ai_credentials (account_id, nick_name, kind) ON UPDATE CASCADE`;
}

/** AI credentials, agents, SIP, translation, event and recording settings. */
export const settings = `
-- ai_credentials_of_kind is the target of the references from translation_configs.
CREATE TABLE ai_credentials (${ownedColumns}
  nick_name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('stt', 'llm', 'tts', 'realtime')),
  provider text NOT NULL,
  model text,
  encrypted_api_key bytea NOT NULL,
  masked_api_key text NOT NULL,
  base_url text,
  options jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT ai_credentials_nick_name UNIQUE (account_id, nick_name),
  CONSTRAINT ai_credentials_of_kind UNIQUE (account_id, nick_name, kind)
);
CREATE INDEX ai_credentials_listed ON ai_credentials (account_id, created_at DESC, id DESC);

CREATE TABLE agents (${ownedColumns}
  name text NOT NULL,
  role text NOT NULL,
  instructions text NOT NULL,
  first_message text,
  speaks_first boolean NOT NULL,
  temperature double precision NOT NULL,
  response_guidelines text,
  max_session_minutes integer NOT NULL,
  webhook_url text,
  todo jsonb NOT NULL DEFAULT '[]',
  reference jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT agents_of_account UNIQUE (account_id, id)
);
CREATE INDEX agents_listed ON agents (account_id, created_at DESC, id DESC);

CREATE TABLE sip_configs (${ownedColumns}
  contact_number text NOT NULL,
  provider text,
  support_sip_active boolean NOT NULL,
  allow_outgoing boolean NOT NULL,
  audio_only boolean NOT NULL,
  auto_record_sip boolean NOT NULL,
  prefer_pcma boolean NOT NULL,
  allowed_ips jsonb NOT NULL DEFAULT '[]',
  peer jsonb,
  encrypted_peer_password bytea,
  backup_peer jsonb,
  encrypted_backup_password bytea,
  agent_id text,
  CONSTRAINT sip_configs_contact_number UNIQUE (account_id, contact_number),
  CONSTRAINT sip_configs_agent FOREIGN KEY (account_id, agent_id) REFERENCES agents (account_id, id)
);
CREATE INDEX sip_configs_by_agent ON sip_configs (account_id, agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX sip_configs_listed ON sip_configs (account_id, created_at DESC, id DESC);

CREATE TABLE translation_configs (${ownedColumns}
  nick_name text NOT NULL,
  stt_nick_name text NOT NULL,
  stt_kind text NOT NULL DEFAULT 'stt',
  llm_nick_name text NOT NULL,
  llm_kind text NOT NULL DEFAULT 'llm',
  tts_nick_name text,
  tts_kind text NOT NULL DEFAULT 'tts',
  spoken_languages jsonb NOT NULL,
  listen_languages jsonb NOT NULL,
  output_mode text NOT NULL CHECK (output_mode IN ('audio', 'text')),
  auto_detect_spoken_language boolean NOT NULL,
  CONSTRAINT translation_configs_nick_name UNIQUE (account_id, nick_name),
  ${[referenceTo('stt'), referenceTo('llm'), referenceTo('tts')].join(',')}
);
CREATE INDEX translation_configs_listed ON translation_configs (account_id, created_at DESC, id DESC);
-- PostgreSQL looks for these references when a credential is deleted.
CREATE INDEX translation_configs_by_stt ON translation_configs (account_id, stt_nick_name);
CREATE INDEX translation_configs_by_llm ON translation_configs (account_id, llm_nick_name);
CREATE INDEX translation_configs_by_tts ON translation_configs (account_id, tts_nick_name);

CREATE TABLE event_settings (${settingsColumns}
  type text NOT NULL,
  audio_setting text NOT NULL,
  video_setting text NOT NULL,
  screenshare_setting text NOT NULL,
  chat_setting text NOT NULL,
  target_resolution text NOT NULL,
  add_co_host boolean NOT NULL,
  enable_ai_notes boolean NOT NULL,
  translation_config_nick_name text,
  CONSTRAINT event_settings_one_per_type UNIQUE (owner_id, type)
);
CREATE INDEX event_settings_by_config ON event_settings (account_id, translation_config_nick_name)
  WHERE translation_config_nick_name IS NOT NULL;

CREATE TABLE recording_settings (${settingsColumns}
  media_options text NOT NULL,
  audio_options text NOT NULL,
  video_options text NOT NULL,
  video_type text NOT NULL,
  video_optimized boolean NOT NULL,
  recording_display_type text NOT NULL,
  add_hls boolean NOT NULL,
  name_tags boolean NOT NULL,
  background_color text NOT NULL,
  name_tags_color text NOT NULL,
  orientation text NOT NULL,
  max_duration_seconds integer NOT NULL,
  pauses_limit integer NOT NULL,
  retention_days integer NOT NULL,
  CONSTRAINT recording_settings_one_per_owner UNIQUE (owner_id)
);
`;
