import type { Clock } from '@rtms/clock';
import type { Logger } from '@rtms/logging';
import type { SlateProblem, SlateSource } from '@rtms/contracts';
import { convert, type Ffmpeg } from '@rtms/ffmpeg';
import type { Still } from '../../../encoder/encoder.js';
import { maxPixelsArguments } from '../../../encoder/ffmpeg/ffmpeg-arguments.js';
import { checkedDownload, DownloadTooLarge } from '../../../sending/checked-fetch.js';
import { SendFailure } from '../../../sending/sender.js';
import type { Network } from '../../../sending/target-connection.js';
import { FairSlots } from '../../thumbnails/fair-slots.js';

/** Loads the image of a caller. Rejects with a `SlateFailure`. */
export type LoadSlate = (source: SlateSource, signal: AbortSignal) => Promise<Still>;

export class SlateFailure extends Error {
  constructor(
    readonly problem: SlateProblem,
    cause: unknown,
  ) {
    super(problem, { cause });
  }
}

const mostBytes = 4 * 1024 * 1024;
/** 2160 lines. A decoded picture has up to eight bytes a pixel. */
const mostPixels = 3_840 * 2_160;
const downloadMs = 10_000;
const decodeMs = 15_000;
/** A decoded picture has up to 66 MB. Each broadcast of the node has at most one image. */
const turns = { slots: 2, slotsPerOwner: 1, waitingPerOwner: 1_000, waiting: 1_000 };

/** The first bytes of the formats that FFmpeg may decode here, and the names of its demuxers. */
const formats = [
  { magic: Buffer.from([0xff, 0xd8, 0xff]), demuxer: 'jpeg_pipe' },
  { magic: Buffer.from([0x89, 0x50, 0x4e, 0x47]), demuxer: 'png_pipe' },
] as const;

/** Downloads JPEG or PNG and makes a picture for a slate of it, of at most 1920 × 1080 pixels. */
export function slateLoader(ffmpeg: Ffmpeg, clock: Clock, network: Network = {}): LoadSlate {
  const slots = new FairSlots(turns);
  return async (source, signal) => {
    const input = await download(source, signal, clock, network).catch((error: unknown) => {
      throw new SlateFailure(downloadProblem(error), error);
    });
    const demuxer = formats.find(({ magic }) => input.subarray(0, magic.length).equals(magic))?.demuxer;
    if (demuxer === undefined) throw new SlateFailure('image_unsupported', 'neither JPEG nor PNG');
    const limits = { input, timeoutMs: decodeMs, mostOutputBytes: 2 * mostBytes, signal };
    const decode = async () => {
      signal.throwIfAborted();
      return convert(ffmpeg, decodingArguments(demuxer), limits);
    };
    const segment = await slots.run(source.accountID, decode).catch((error: unknown) => {
      throw new SlateFailure(decodingProblem(error), error);
    });
    return { segment, isDimmed: false };
  };
}

async function download(
  { imageUrl, allowsPrivate }: SlateSource,
  signal: AbortSignal,
  clock: Clock,
  network: Network,
): Promise<Buffer> {
  const ending = new AbortController();
  const end = (): void => ending.abort(new Error('the download was given up'));
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  const timer = clock.after(downloadMs, end);
  try {
    return await checkedDownload(imageUrl, { allowsPrivate, mostBytes, signal: ending.signal }, network);
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', end);
  }
}

function decodingArguments(demuxer: string): string[] {
  const size = `scale='min(1920,iw)':'min(1080,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2:out_range=tv`;
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'error', '-protocol_whitelist', 'pipe', '-threads', '1'],
    ...[...maxPixelsArguments(mostPixels), '-f', demuxer, '-i', 'pipe:0', '-frames:v', '1', '-vf', `${size},setsar=1`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-pix_fmt', 'yuv420p', '-threads', '1'],
    ...['-movflags', '+frag_keyframe+empty_moov+default_base_moof', '-f', 'mp4', 'pipe:1'],
  ];
}

function downloadProblem(error: unknown): SlateProblem {
  if (error instanceof DownloadTooLarge) return 'image_too_large';
  return error instanceof SendFailure && error.problem === 'target_not_allowed'
    ? 'address_not_allowed'
    : 'image_unreachable';
}

/**
 * Only an exit of FFmpeg itself, or too large a picture, shows that it cannot decode the image. When FFmpeg is killed after `decodeMs` or does
 * not start, or the queue is full, the image is loaded again later.
 */
export function decodingProblem(error: unknown): SlateProblem {
  const { code, stderr } = error as { code?: number | string | null; stderr?: Buffer };
  if (/exceeds specified max pixel count|Picture size \S+ is invalid/.test(String(stderr ?? '')))
    return 'image_too_large';
  return typeof code === 'number' || code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
    ? 'image_unsupported'
    : 'image_unreachable';
}

/** ms between two attempts. Each pause is twice as long as the one before. */
const retries = { firstMs: 30_000, longestMs: 600_000 };

/**
 * The image that one broadcast shows while its source is lost. It is loaded once, at the start of the job. While the image is
 * unreachable, `retryWhenDue` loads it again.
 */
export class SlateImage {
  private loaded: Still | undefined;
  private readonly stop = new AbortController();
  private pauseMs = retries.firstMs;
  private retryAt = Infinity;

  constructor(
    private readonly source: SlateSource | undefined,
    /** undefined: the problem is over. */
    private readonly onProblem: (problem: SlateProblem | undefined) => void,
    private readonly parts: { loadSlate: LoadSlate; clock: Clock; logger: Logger },
  ) {}

  /** undefined: the broadcast has no image, or it is not loaded. */
  get still(): Still | undefined {
    return this.loaded;
  }

  start(): void {
    if (!this.source) return;
    this.parts.loadSlate(this.source, this.stop.signal).then(
      still => {
        if (this.stop.signal.aborted) return;
        this.loaded = still;
        this.onProblem(undefined);
      },
      (error: unknown) => {
        if (this.stop.signal.aborted) return;
        const problem = error instanceof SlateFailure ? error.problem : 'image_unreachable';
        if (problem === 'image_unreachable') this.retryLater();
        this.parts.logger.warn({ problem }, 'the image of a slate cannot be shown');
        this.onProblem(problem);
      },
    );
  }

  /** Call it regularly. */
  retryWhenDue(): void {
    if (this.parts.clock.now() < this.retryAt || this.stop.signal.aborted) return;
    this.retryAt = Infinity;
    this.start();
  }

  /** Safe to call twice. */
  close(): void {
    this.stop.abort();
  }

  private retryLater(): void {
    this.retryAt = this.parts.clock.now() + this.pauseMs;
    this.pauseMs = Math.min(2 * this.pauseMs, retries.longestMs);
  }
}
