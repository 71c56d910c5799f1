import {
  endReasons,
  factSubject,
  healthCodes,
  mostRecordedSpans,
  restreamProblems,
  slateProblems,
  type Fact,
} from '@rtms/contracts';
import { checkValue } from '@rtms/http';
import { z } from 'zod';

const reason = z.enum(endReasons);
const problem = z.enum(restreamProblems);
const kind = z.enum(['audio', 'video']);
const time = z.iso.datetime();
const count = z.number().int().min(0);

const track = z.object({
  trackID: z.string().min(1),
  kind,
  codec: z.string(),
  state: z.enum(['live', 'paused', 'ended']),
});

const rendition = z.object({
  name: z.string().min(1),
  width: count,
  height: count,
  frameRate: z.number().min(0),
  videoBitrate: z.number().min(0),
  audioBitrate: z.number().min(0),
  codecs: z.string(),
});

const body = z.discriminatedUnion('type', [
  z.object({ type: z.literal('external_session.active'), tracks: z.array(track) }),
  z.object({
    type: z.literal('external_session.interrupted'),
    reason: z.enum(['publisher_lost', 'worker_lost', 'node_draining']),
  }),
  z.object({
    type: z.literal('external_session.health'),
    health: z.array(z.enum(healthCodes)),
    keyframeIntervalSeconds: z.number().min(0).exactOptional(),
  }),
  z.object({ type: z.literal('external_session.ended'), reason }),
  z.object({ type: z.literal('playback.active'), viewerCount: count }),
  z.object({ type: z.literal('playback.idle'), reason: z.enum(['viewer_lost', 'worker_lost']) }),
  z.object({ type: z.literal('playback.ended'), reason }),
  z.object({
    type: z.literal('broadcast.active'),
    renditions: z.array(rendition),
    slateProblem: z.enum(slateProblems).exactOptional(),
  }),
  z.object({
    type: z.literal('broadcast.interrupted'),
    reason: z.enum(['source_lost', 'encoder_lost', 'node_draining']),
  }),
  z.object({ type: z.literal('broadcast.ended'), reason }),
  z.object({ type: z.literal('broadcast.failed'), reason }),
  z.object({ type: z.literal('recording.active'), since: time }),
  z.object({ type: z.literal('recording.interrupted'), reason: z.enum(['source_lost', 'recorder_lost']), until: time }),
  z.object({ type: z.literal('recording.stopped'), reason, until: time }),
  z.object({
    type: z.literal('recording.ready'),
    format: z.literal('mp4'),
    durationSeconds: z.number().min(0),
    sizeBytes: count,
    width: count.exactOptional(),
    height: count.exactOptional(),
    checksumSha256: z.string().regex(/^[0-9a-f]{64}$/),
    storage: z.enum(['node', 'shared']),
    hasHLS: z.literal(true).exactOptional(),
    spans: z
      .array(z.object({ startedAt: time, seconds: z.number().min(0) }))
      .max(mostRecordedSpans)
      .exactOptional(),
  }),
  z.object({ type: z.literal('recording.failed'), reason }),
  z.object({ type: z.literal('restream.active') }),
  z.object({ type: z.literal('restream.retrying'), problem, retries: count }),
  z.object({ type: z.literal('restream.ended'), reason }),
  z.object({ type: z.literal('restream.failed'), reason, problem }),
]);

const fact = z.object({
  resourceID: z.string().min(1),
  nodeID: z.string().min(1),
  epoch: count,
  sequence: count,
  at: time,
  requestID: z.string().exactOptional(),
  body,
});

/** Parses a message from the stream. undefined: it is not a known fact, e.g. a fact of a newer node. */
export function parseFact(payload: unknown): Fact | undefined {
  const parsed = checkValue(fact, payload);
  return parsed.success ? parsed.data : undefined;
}

/** The fact in a message. The bus authorizes nodes by subject, so a fact under another subject than its own is refused. */
export function factOf({ subject, payload }: { subject: string; payload: unknown }): Fact | undefined {
  const parsed = parseFact(payload);
  return parsed && factSubject(parsed) === subject ? parsed : undefined;
}
