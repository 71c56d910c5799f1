/** A: one assistant object. B: an agent and the LLM that holds its prompt. */
export type Platform = 'A' | 'B';

/** What the definition was run with, for people to read; providers are chosen by AI credentials. */
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

export type FinishKind =
  'transfer' | 'tool' | 'knowledge' | 'webhook' | 'firstMessage' | 'instructions' | 'variable' | 'transition';

/** Something that only a person can complete. */
export interface FinishItem {
  kind: FinishKind;
  /** The state of the definition that it belongs to, where it has states. */
  state?: string;
  /** A whole sentence, without the state. */
  text: string;
}

/** What a reader should know of how the definition was read: a warning where something was lost or guessed. */
export interface ImportNote {
  severity: 'information' | 'warning';
  text: string;
}

export interface ImportedAgent {
  agent: AgentFields;
  platform: Platform;
  toFinish: FinishItem[];
  reference: AgentReference;
  notes: ImportNote[];
}

export type ImportFailureCode =
  | 'empty'
  | 'too_large'
  | 'not_json'
  | 'several_definitions'
  | 'squad'
  | 'workflow'
  | 'conversation_flow'
  | 'llm_missing'
  | 'saved_error'
  | 'unknown_format';

/** Why a text can't be imported, and what to paste instead. */
export interface ImportFailure {
  code: ImportFailureCode;
  message: string;
  /** Where the text stops being JSON, counted from 1. */
  line?: number;
  column?: number;
}

export type ImportResult = ({ ok: true } & ImportedAgent) | ({ ok: false } & ImportFailure);
