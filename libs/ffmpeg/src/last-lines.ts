/** Keeps the last lines of a text stream, cut to 500 characters each. */
export class LastLines {
  private readonly lines: string[] = [];
  private rest = '';

  constructor(private readonly count: number) {}

  push(text: string): void {
    const lines = (this.rest + text).split(/[\r\n]+/);
    this.rest = (lines.pop() ?? '').slice(0, 500);
    for (const line of lines) if (line.trim()) this.lines.push(line.slice(0, 500));
    this.lines.splice(0, this.lines.length - this.count);
  }

  all(): string[] {
    return [...this.lines, ...(this.rest.trim() ? [this.rest] : [])].slice(-this.count);
  }
}
