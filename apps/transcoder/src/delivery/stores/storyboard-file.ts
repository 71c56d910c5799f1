/**
 * A storyboard is one stored file, so that its parts always belong together: the WebVTT text, filled up with line ends to
 * `vttBytes`, and then the JPEG with all pictures.
 */
const vttBytes = 16 * 1024;

export const storyboardTile = { width: 160, height: 90 };
const mostPictures = 100;
const mostColumns = 10;
const shortestSeconds = 2;

export interface StoryboardPlan {
  durationSeconds: number;
  /** Seconds of media that a picture stands for. */
  intervalSeconds: number;
  columns: number;
  rows: number;
}

/** At most 100 pictures, however long the recording is. */
export function planStoryboard(durationSeconds: number): StoryboardPlan {
  const intervalSeconds = Math.max(shortestSeconds, Math.ceil(durationSeconds / mostPictures));
  const count = Math.max(1, Math.ceil(durationSeconds / intervalSeconds));
  return {
    durationSeconds,
    intervalSeconds,
    columns: Math.min(count, mostColumns),
    rows: Math.ceil(count / mostColumns),
  };
}

export function storyboardFile(plan: StoryboardPlan, jpeg: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(vttBytes, `${vttOf(plan)}\n`.padEnd(vttBytes, '\n')), jpeg]);
}

/** The ranges of a stored file with `size` bytes. */
export function storyboardParts(size: number) {
  return { vtt: { start: 0, end: vttBytes - 1 }, jpeg: { start: vttBytes, end: size - 1 } };
}

/** The WebVTT text of a stored file. The pictures need the token with which the text was fetched. */
export function storyboardText(stored: Buffer, token: string): Buffer {
  return Buffer.from(
    `${stored.toString('utf8').trimEnd().replaceAll('storyboard.jpg#', `storyboard.jpg?token=${token}#`)}\n`,
  );
}

/** A cue for each picture, as Vidstack, Plyr and JW Player read them: the address with the rectangle (Media Fragments, 4.2.2). */
function vttOf({ durationSeconds, intervalSeconds, columns }: StoryboardPlan): string {
  const { width, height } = storyboardTile;
  const count = Math.max(1, Math.ceil(durationSeconds / intervalSeconds));
  const cues = Array.from({ length: count }, (_, at) => {
    const end = Math.min((at + 1) * intervalSeconds, Math.max(durationSeconds, 0.001));
    const [x, y] = [(at % columns) * width, Math.floor(at / columns) * height];
    return `${timeOf(at * intervalSeconds)} --> ${timeOf(end)}\nstoryboard.jpg#xywh=${x},${y},${width},${height}`;
  });
  return ['WEBVTT', ...cues].join('\n\n');
}

/** `01:02:03.456` */
function timeOf(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const parts = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60];
  return `${parts.map(part => String(Math.floor(part)).padStart(2, '0')).join(':')}.${String(ms % 1000).padStart(3, '0')}`;
}
