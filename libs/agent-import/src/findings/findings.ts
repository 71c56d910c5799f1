import type {
  DefinitionPart,
  FinishCode,
  FinishItem,
  FinishKind,
  FinishValues,
  ImportedAgent,
  ImportNote,
  NoteCode,
  NoteValues,
} from './imported-agent.js';

/** A page shows each entry, and users do not read longer lists. Agents keep 100 texts; real definitions list at most 60. */
export const findingLimits = { toFinish: 500, notes: 200 } as const;

const kinds: Readonly<Record<FinishCode, FinishKind>> = {
  transfer_number: 'transfer',
  transfer_placeholder: 'transfer',
  transfer_variable: 'transfer',
  transfer_agent: 'transfer',
  transfer_asked: 'transfer',
  transfer_dynamic: 'transfer',
  transfer_unknown: 'transfer',
  tool: 'tool',
  tool_id: 'tool',
  tools_elsewhere: 'tool',
  hook_say: 'hook',
  hook_action: 'hook',
  knowledge_file: 'knowledge',
  knowledge_server: 'knowledge',
  knowledge_base: 'knowledge',
  webhook_not_https: 'webhook',
  webhook_with_credential: 'webhook',
  first_message_sound: 'firstMessage',
  instructions_missing: 'instructions',
  variable_expression: 'variable',
  transition: 'transition',
  more_items: 'more',
};

/** Notes about a default or an assumption. All other notes report a loss or a doubt. */
const harmless: ReadonlySet<NoteCode> = new Set<NoteCode>([
  'name_missing',
  'variable_filled',
  'temperature_default',
  'session_default',
  'session_platform_default',
  'first_message_missing',
  'first_message_generated',
]);

const information: ReadonlySet<NoteCode> = new Set<NoteCode>([
  ...[...harmless].filter(code => code !== 'name_missing'),
  'first_message_written',
  'voicemail_unused',
  'credentials_ignored',
]);

/** Whether the agent has everything in the definition: no item is left to finish, and no note reports a loss. */
export function isComplete({ toFinish, notes }: Pick<ImportedAgent, 'toFinish' | 'notes'>): boolean {
  return toFinish.length === 0 && notes.every(({ code }) => harmless.has(code));
}

/** The findings of one import, each once and within `findingLimits`. */
export class Findings {
  private readonly items: FinishItem[] = [];
  private readonly told: ImportNote[] = [];
  private readonly keys = new Set<string>();
  private moreItems = 0;
  private moreNotes = 0;
  /** The part of the definition that the next items belong to. */
  private part: DefinitionPart | undefined;

  get toFinish(): FinishItem[] {
    if (this.moreItems === 0) return this.items;
    return [...this.items, { kind: 'more', code: 'more_items', path: '', values: { count: this.moreItems } }];
  }

  get notes(): ImportNote[] {
    if (this.moreNotes === 0) return this.told;
    return [...this.told, { severity: 'warning', code: 'more_notes', path: '', values: { count: this.moreNotes } }];
  }

  /** Adds the items that `list` finds as items of the part. */
  within(part: DefinitionPart, list: () => void): void {
    this.part = part;
    list();
    this.part = undefined;
  }

  finish<Code extends FinishCode>(code: Code, path: string, values: FinishValues[Code]): void {
    const { part } = this;
    if (!this.isNew([code, part, values])) return;
    const item = { kind: kinds[code], code, path, ...(part && { part }), values } as FinishItem;
    if (this.items.length < findingLimits.toFinish) this.items.push(item);
    else this.moreItems += 1;
  }

  note<Code extends NoteCode>(code: Code, path: string, values: NoteValues[Code]): void {
    if (!this.isNew([code, path, values])) return;
    const severity = information.has(code) ? 'information' : 'warning';
    if (this.told.length < findingLimits.notes) this.told.push({ severity, code, path, values } as ImportNote);
    else this.moreNotes += 1;
  }

  private isNew(finding: unknown[]): boolean {
    const key = JSON.stringify(finding);
    return this.keys.size < this.keys.add(key).size;
  }
}
