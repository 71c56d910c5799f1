import { importAgent } from '../import-agent.js';
import type { ImportResult } from '../imported-agent.js';

export interface ImportCommandPorts {
  read(file: string): Promise<Uint8Array>;
  print(text: string): void;
  complain(text: string): void;
}

const usage = 'Usage: rtms-import-agent FILE';

/** 0: imported, with the result printed; 2: not importable; 1: there was nothing to read. */
export async function importCommand(args: readonly string[], ports: ImportCommandPorts): Promise<0 | 1 | 2> {
  const [file, ...rest] = args;
  if (file === undefined || rest.length > 0 || file.startsWith('-')) return fail(ports, usage);
  const bytes = await ports.read(file).catch(() => undefined);
  if (!bytes) return fail(ports, `${file} can’t be read.`);
  return report(importAgent(decode(bytes)), ports);
}

function report(result: ImportResult, ports: ImportCommandPorts): 0 | 2 {
  if (!result.ok) {
    ports.complain(result.message);
    return 2;
  }
  const { ok: _, ...imported } = result;
  ports.print(JSON.stringify(imported, null, 2));
  return 0;
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
