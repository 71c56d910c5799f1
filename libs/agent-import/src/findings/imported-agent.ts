import type { FailureTexts, FinishTexts, NoteTexts } from './finding-texts.js';

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
  /** null: the agent chooses its own words. */
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

/** The type of the values of each code, from the parameter of its sentence. */
type ValuesOf<Texts extends Record<string, (values: never) => string>> = {
  [Code in keyof Texts]: Parameters<Texts[Code]> extends [infer Values] ? Values : object;
};

export type FinishValues = ValuesOf<FinishTexts>;
export type NoteValues = ValuesOf<NoteTexts>;
export type FailureValues = ValuesOf<FailureTexts>;

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
  /** The place in the definition, as `model.tools[0]`. */
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
