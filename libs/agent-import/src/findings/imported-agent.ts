/** A: one assistant object. B: an agent with the LLM or the conversation flow that holds its prompt. */
export type Platform = 'A' | 'B';

/** The providers of the definition, for people to read. AI credentials choose the agent's providers. */
export interface AgentReference {
  provider: string | null;
  model: string | null;
  voice: string | null;
  transcriber: string | null;
  language: string | null;
}

/** The fields of an agent as POST /v1/agents takes them, all within their bounds. */
export interface AgentFields {
  name: string;
  role: string;
  instructions: string;
  /** null: the agent finds its own words. */
  firstMessage: string | null;
  speaksFirst: boolean;
  temperature: number;
  responseGuidelines: string | null;
  maxSessionMinutes: number;
  webhookUrl: string | null;
  /** `toFinish` as texts: see `todoOf`. */
  todo: string[];
  reference: AgentReference;
}

/** The agent's texts that have a bound. */
export type BoundedText = 'name' | 'instructions' | 'firstMessage' | 'responseGuidelines';

/** The kind of agent tool that replaces a tool of the definition. */
export type Counterpart = 'calendar' | 'automation' | 'webhook' | 'integration' | 'agent';

/** Values of each item to finish, by its code. */
export interface FinishValues {
  transfer_number: { tool: string; number: string };
  transfer_placeholder: { tool: string; number: string };
  transfer_variable: { tool: string; variable: string };
  transfer_agent: { tool: string; agent: string };
  transfer_asked: { tool: string; question: string };
  transfer_dynamic: { tool: string };
  transfer_unknown: { tool: string };
  tool: { name: string; type: string; counterpart: Counterpart };
  tool_id: { id: string };
  tools_elsewhere: { text: string };
  hook_say: { text: string };
  hook_action: { action: string };
  knowledge_file: { id: string };
  knowledge_server: object;
  knowledge_base: object;
  webhook_not_https: object;
  webhook_with_credential: { host: string };
  first_message_sound: object;
  instructions_missing: object;
  variable_expression: { expression: string };
  /** `to` and `when` are empty where the definition does not say. */
  transition: { to: string; when: string };
  /** Items beyond the limit of the list. */
  more_items: { count: number };
}

/** Values of each note, by its code. */
export interface NoteValues {
  name_missing: { name: string };
  text_cut: { field: BoundedText; characters: number; kept: number };
  variable_filled: { name: string };
  temperature_default: { temperature: number };
  temperature_bounded: { given: number; temperature: number };
  session_default: { minutes: number };
  session_platform_default: { minutes: number };
  session_bounded: { seconds: number; minutes: number; min: number; max: number };
  number_expected: object;
  prompt_missing: object;
  prompt_ignored: object;
  messages_left_out: { count: number };
  first_message_missing: object;
  first_message_generated: object;
  first_message_written: object;
  first_message_empty: object;
  webhook_ignored: object;
  voicemail_unused: object;
  only_llm: object;
  only_flow: object;
  flow_flattened: { nodes: number };
  /** `more`: further fields beyond the limit of the list. */
  not_taken_over: { fields: string[]; more: number };
  credentials_ignored: { paths: string[]; more: number };
  /** The line counts from 1; the excerpt is the beginning of the credential. */
  credential_removed: { line: number; excerpt: string };
  credential_repeated: object;
  /** Notes beyond the limit of the list. */
  more_notes: { count: number };
}

/** Values of each reason why a text can't be imported, by its code. */
export interface FailureValues {
  empty: object;
  too_large: { limit: number };
  too_deep: { limit: number };
  too_many_credentials: { limit: number };
  /** `reason` is a key of the catalogue's JSON errors. */
  not_json: { reason: string };
  several_definitions: { count: number; names: string[]; more: number };
  squad: { names: string[]; more: number };
  workflow: object;
  conversation_flow: object;
  llm_missing: object;
  llm_elsewhere: object;
  saved_error: object;
  unknown_format: object;
}

/** A finding is data. `describeFinding` makes its sentence. */
type Coded<Values> = { [Code in keyof Values]: { code: Code; values: Values[Code] } }[keyof Values];

export type Finding = Coded<FinishValues & NoteValues & FailureValues>;
export type FinishCode = keyof FinishValues;
export type NoteCode = keyof NoteValues;
export type ImportFailureCode = keyof FailureValues;

export type FinishKind =
  | 'transfer'
  | 'tool'
  | 'hook'
  | 'knowledge'
  | 'webhook'
  | 'firstMessage'
  | 'instructions'
  | 'variable'
  | 'transition'
  | 'more';

/** The part of the definition that an item belongs to. */
export interface DefinitionPart {
  type: 'state' | 'node' | 'hook';
  name: string;
}

/** Something that only a person can complete. */
export type FinishItem = Coded<FinishValues> & {
  kind: FinishKind;
  /** Where the definition says it, as `model.tools[0]`. */
  path: string;
  part?: DefinitionPart;
};

/** How the definition was read: a warning where something was lost or guessed. */
export type ImportNote = Coded<NoteValues> & { severity: 'information' | 'warning'; path: string };

export interface ImportedAgent {
  agent: AgentFields;
  platform: Platform;
  toFinish: FinishItem[];
  reference: AgentReference;
  notes: ImportNote[];
}

/** Why a text can't be imported. `line` and `column`, both from 1, tell where it stops being JSON. */
export type ImportFailure = Coded<FailureValues> & { line?: number; column?: number };

export type ImportResult = ({ ok: true } & ImportedAgent) | ({ ok: false } & ImportFailure);
