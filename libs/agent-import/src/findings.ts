import type { FinishItem, FinishKind, ImportNote } from './imported-agent.js';

/** What the mapping finds on its way, each once. */
export class Findings {
  readonly toFinish: FinishItem[] = [];
  readonly notes: ImportNote[] = [];
  private readonly told = new Set<string>();

  finish(kind: FinishKind, text: string, state?: string): void {
    if (this.isNew([kind, state, text])) this.toFinish.push({ kind, ...(state !== undefined && { state }), text });
  }

  tell(text: string): void {
    this.note({ severity: 'information', text });
  }

  warn(text: string): void {
    this.note({ severity: 'warning', text });
  }

  private note(note: ImportNote): void {
    if (this.isNew([note.severity, note.text])) this.notes.push(note);
  }

  private isNew(finding: unknown[]): boolean {
    const key = JSON.stringify(finding);
    return this.told.size < this.told.add(key).size;
  }
}
