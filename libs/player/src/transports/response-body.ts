/** Reads the text of an answer. Returns undefined if it is longer than `longest` characters; the rest is not received. */
export async function boundedText(response: Response, longest: number): Promise<string | undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let text = ''; ;) {
      const read = await reader?.read();
      if (!read || read.done) return text;
      text += read.value;
      if (text.length > longest) return undefined;
    }
  } finally {
    void reader?.cancel().catch(() => undefined);
  }
}
