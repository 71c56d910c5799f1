/** How the other platform ended a conversation, as an instruction. */
export function closingInstruction(message: string, phrases: readonly string[]): string {
  const farewell = message === '' ? [] : [`When the conversation is over, close with: “${message}”`];
  const said = phrases.map(phrase => `“${phrase}”`).join(', ');
  const ending = said === '' ? [] : [`Saying one of these ends the conversation, so say them only then: ${said}.`];
  return [...farewell, ...ending].join('\n');
}
