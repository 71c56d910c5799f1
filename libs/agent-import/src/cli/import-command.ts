import { describeFinding } from '../findings/finding-texts.js';
import { importAgent } from '../import-agent.js';
import type { ImportedAgent, ImportFailure, ImportResult } from '../findings/imported-agent.js';

export interface ImportCommandPorts {
  /** The first `max` bytes of a file, or of the standard input where the file is `-`. */
  read(file: string, max: number): Promise<Uint8Array>;
  print(text: string): void;
  complain(text: string): void;
}

const usage = 'Usage: rtms-import-agent FILE (or - for the standard input)';

/** More than any text within the importer's limit of 500,000 characters has, in UTF-8 or UTF-16. */
const maxBytes = 2_000_000;

/** 0: imported; 2: not importable; in both cases the result is printed as JSON. 1: there was nothing to read. */
export async function importCommand(args: readonly string[], ports: ImportCommandPorts): Promise<0 | 1 | 2> {
  const [file, ...rest] = args;
  if (file === undefined || rest.length > 0 || (file.startsWith('-') && file !== '-')) return fail(ports, usage);
  const bytes = await ports.read(file, maxBytes).catch(() => undefined);
  if (!bytes) return fail(ports, `${file} can’t be read.`);
  return report(importAgent(decode(bytes)), ports);
}

function report(result: ImportResult, ports: ImportCommandPorts): 0 | 2 {
  ports.print(JSON.stringify(result.ok ? withTexts(result) : { error: withText(result) }, null, 2));
  if (result.ok) return 0;
  ports.complain(describeFinding(result));
  return 2;
}

/** Each finding with its sentence, for people and for programs that have no catalogue. */
function withTexts({ agent, platform, toFinish, reference, notes }: ImportedAgent): object {
  const text = (finding: ImportedAgent['toFinish'][number] | ImportedAgent['notes'][number]) => {
    return { ...finding, text: describeFinding(finding) };
  };
  return { agent, platform, toFinish: toFinish.map(text), reference, notes: notes.map(text) };
}

function withText(failure: ImportFailure): object {
  const { code, values, line, column } = failure;
  return { code, values, line, column, text: describeFinding(failure) };
}

function fail(ports: ImportCommandPorts, text: string): 1 {
  ports.complain(text);
  return 1;
}

/** Some shells write UTF-16, which begins with a mark of its own. */
function decode(bytes: Uint8Array): string {
  const isUTF16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUTF16 ? 'utf-16le' : 'utf-8').decode(bytes);
}
