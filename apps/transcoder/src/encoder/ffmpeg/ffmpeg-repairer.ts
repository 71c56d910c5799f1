import { spawn } from 'node:child_process';
import type { PictureSize } from '@rtms/bitstream';
import type { Clock } from '@rtms/clock';
import { boundedBitrate, launch, rtpPacketBytes, type Ffmpeg } from '@rtms/ffmpeg';
import type { EncoderExit, EncoderRun } from '../encoder.js';
import { maxPixelsArguments } from './ffmpeg-arguments.js';
import { FfmpegRun, nothingToTakeOut } from './ffmpeg-run.js';

/** One FFmpeg that removes B-frames. */
export interface RepairPlan {
  size: PictureSize;
  /** Bits per second of the source's video. */
  bitrate: number;
  /** The decoder refuses larger pictures. */
  maxPixels: number;
  /** Ports of this machine for the output as RTP and its RTCP. */
  rtpPort: number;
  rtcpPort: number;
  ssrc: number;
}

export type StartRepairer = (
  plan: RepairPlan,
  onExit: (exit: EncoderExit) => void,
) => Pick<EncoderRun, 'pid' | 'write' | 'close'>;

/** Returns a function that starts one FFmpeg, which reads Matroska by `write` and sends RTP. */
export function repairer(ffmpeg: Ffmpeg, clock: Clock): StartRepairer {
  return (plan, onExit) => {
    const [command, args] = launch(ffmpeg, repairArguments(plan));
    const process = spawn(command, args, { stdio: ['pipe', 'ignore', 'pipe'] });
    const pipes = { process, errors: process.stderr, inputs: [process.stdin] };
    return new FfmpegRun(pipes, nothingToTakeOut, { onExit }, clock);
  };
}

/** Seconds of the bit rate that a keyframe may take. FFmpeg sends it in one burst, which a socket's buffer must hold. */
const burstSeconds = 0.3;

/**
 * Four keyframes a second for three seconds, because viewers switch over then. Afterwards one each second: FFmpeg takes no
 * requests for keyframes, and viewers join at any time.
 */
const keyframeTimes = 'gte(t,if(lt(n_forced,12),n_forced/4,n_forced-9))';

/**
 * Decodes with one thread, because each further thread delays by a frame. Every profile of H264 that a viewer negotiates decodes
 * the constrained baseline profile.
 */
export function repairArguments({ size, bitrate, maxPixels, rtpPort, rtcpPort, ssrc }: RepairPlan): string[] {
  const rate = boundedBitrate(bitrate);
  const even = 'scale=trunc(iw/2)*2:trunc(ih/2)*2,setsar=1,format=yuv420p';
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'warning', '-fpsprobesize', '0', '-analyzeduration', '0'],
    ...[...maxPixelsArguments(maxPixels), '-threads', '1', '-f', 'matroska', '-i', 'pipe:0'],
    ...['-map', '0:v:0', '-vf', even, '-vsync', 'passthrough', '-c:v', 'libx264', '-preset', 'veryfast'],
    ...['-tune', 'zerolatency', '-profile:v', 'baseline', '-bf', '0', '-threads', `${threadsFor(size)}`],
    ...['-b:v', `${rate}`, '-maxrate', `${Math.round(rate * 1.1)}`, '-bufsize', `${Math.round(rate * burstSeconds)}`],
    ...['-g', '9999', '-sc_threshold', '0', '-force_key_frames', `expr:${keyframeTimes}`],
    ...['-ssrc', `${ssrc}`, '-payload_type', '96', '-f', 'rtp'],
    `rtp://127.0.0.1:${rtpPort}?rtcpport=${rtcpPort}&pkt_size=${rtpPacketBytes}`,
  ];
}

/** One thread encodes 1080p60 in time; several slices cost quality. */
function threadsFor({ width, height }: PictureSize): number {
  return width * height > 1920 * 1088 ? 4 : 1;
}
