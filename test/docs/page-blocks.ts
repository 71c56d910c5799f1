import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';

/** A block of code of a page, without the indentation of its list. */
export interface Block {
  language: string;
  code: string;
  /** From a comment `<!-- not run: … -->` before the block. */
  reason?: string;
}

export function blocksOf(page: string): Block[] {
  const blocks = /(?:<!-- not run: (.+?) -->\s+)?^( *)```(\w*)\n([^]*?)^\2```$/gm;
  return [...page.matchAll(blocks)].map(([, reason, indentation = '', language = '', code = '']) => ({
    language,
    code: code.replace(new RegExp(`^${indentation}`, 'gm'), ''),
    ...(reason === undefined ? {} : { reason }),
  }));
}

/** Guides and examples by path: the pages whose blocks `test/system/examples.system-spec.ts` runs. */
export function runPages(): Map<string, Block[]> {
  const paths = globSync(['docs/concepts.md', 'docs/guides/*.md', 'examples/*/README.md']).sort();
  return new Map(paths.map(path => [path, blocksOf(readFileSync(path, 'utf8'))]));
}
