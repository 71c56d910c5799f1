import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

export interface PageFile {
  /** The ETag of the content, alike for every encoding. */
  etag: string;
  bytes(encoding: Encoding): Promise<Buffer>;
  /** The available encodings, the shortest first. */
  encodings: readonly Encoding[];
}

/** Enough for all files of two builds. */
const cachedBytes = 64 * 1024 * 1024;
const worthCompressing = 1024;
const texts: readonly string[] = ['.html', '.js', '.css', '.svg', '.json', '.map', '.txt'];

/** Paths of built files. No segment begins with a dot. */
const pathForm = /^(?:[\w@+-][\w@+.-]*\/)*[\w@+-][\w@+.-]*$/;

/** The files of a built page. Each file is read and compressed once after each build. */
export class PageFiles {
  private readonly files = new LRUCache<string, KeptFile>({
    maxSize: cachedBytes,
    sizeCalculation: ({ content }) => Math.max(1, 2 * content.length),
  });

  constructor(private readonly folder: string) {}

  /** `path` is relative to the folder, with slashes. undefined: there is no such file. */
  async find(path: string): Promise<PageFile | undefined> {
    if (!pathForm.test(path)) return undefined;
    const file = join(this.folder, path);
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    const version = `${path}:${found.mtimeMs}:${found.size}`;
    const kept = this.files.get(version) ?? new KeptFile(await readFile(file), texts.includes(extname(path)));
    this.files.set(version, kept);
    return kept;
  }
}

class KeptFile implements PageFile {
  readonly etag: string;
  readonly encodings: readonly Encoding[];
  private readonly made = new Map<Encoding, Promise<Buffer>>();

  constructor(
    readonly content: Buffer,
    isText: boolean,
  ) {
    this.etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
    this.encodings = isText && content.length >= worthCompressing ? encodings : ['identity'];
  }

  bytes(encoding: Encoding): Promise<Buffer> {
    const bytes = this.made.get(encoding) ?? compress(this.content, encoding);
    this.made.set(encoding, bytes);
    return bytes;
  }
}

function compress(content: Buffer, encoding: Encoding): Promise<Buffer> {
  switch (encoding) {
    case 'br':
      return promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    case 'gzip':
      return promisify(gzip)(content, { level: 9 });
    case 'identity':
      return Promise.resolve(content);
    default:
      return encoding satisfies never;
  }
}
