/** Where a line and column (both from 1, columns in whole characters) stand in a text, for its selection. */
export function textOffset(text: string, line: number, column: number): number {
  const lines = text.split(/(?<=\r\n|\r(?!\n)|\n)/);
  const before = lines.slice(0, line - 1).join('').length;
  return before + [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
}
