import { ServiceError } from '@rtms/contracts';

/**
 * Bounds on any body of SDP, looked at before it is parsed. The longest offer of a browser that we have seen (Chromium,
 * WHEP) has 201 lines, its longest line 145 characters.
 */
const maxLines = 1_000;
/** Lines that hold certificates or parameter sets reach a thousand characters. */
const maxLineLength = 4_096;

/** The lines of SDP that are not blank. Throws `body_too_large` for more, or longer, lines than any client needs. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/).filter(line => line.trim() !== '');
  if (lines.length > maxLines) throw tooLarge(`has ${lines.length} lines; at most ${maxLines} are allowed`);
  const long = lines.findIndex(line => line.length > maxLineLength);
  if (long >= 0) throw tooLarge(`has more than ${maxLineLength} characters in line ${long + 1}; shorten that line`);
  return lines;
}

function tooLarge(message: string): ServiceError {
  return new ServiceError('body_too_large', `The SDP ${message}.`);
}
