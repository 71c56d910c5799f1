import { Badge, Group, Stack, Text } from '@mantine/core';
import type { TrackStatistics } from '@rtms/contracts';
import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../api/resource.js';
import { numberText } from '../parts/formats.js';
import { readStatistics, type ExternalSession } from '../api/meetings.js';

const healthCodes = {
  b_frames: 'B-frames: WebRTC needs a transcoder to remove them',
  b_frames_repaired: 'Repaired: WebRTC viewers see the video without B-frames',
  repair_unavailable: 'Not repaired: no transcoder is free, so WebRTC viewers see a stuttering video',
  long_keyframe_interval: 'Keyframes are far apart',
  no_keyframe_requests: 'The encoder ignores keyframe requests',
  profile_mismatch: 'The video’s profile differs from the negotiated one',
  silence: 'The audio is silent',
  high_loss: 'Many packets are lost',
  clock_drift: 'Audio and video drift apart',
  picture_too_large: 'The picture is larger than your plan encodes: broadcasts of it end',
} as const;

const refetchMs = 2_000;
/** Health texts are longer than one line. */
const wrapping = { label: { whiteSpace: 'normal' } } as const;

/** The statistics of the media node. All cells of a row share one request. */
function useStatistics({ sessionID, state }: ExternalSession): TrackStatistics[] {
  const { data } = useQuery({
    queryKey: shownKey('statistics', sessionID),
    queryFn: ({ signal }) => readStatistics(sessionID, signal),
    enabled: state === 'active',
    refetchInterval: refetchMs,
    retry: false,
  });
  return state === 'active' ? (data?.tracks ?? []) : [];
}

/** `VP8` for `video/VP8`. */
function codecName(codec: string): string {
  return codec.split('/').at(-1) ?? codec;
}

function describeTrack({ codec, width, height, frameRate }: TrackStatistics): string {
  const size = width === null || height === null ? '' : `${width}×${height}`;
  const rate = frameRate === null ? '' : `${numberText(Math.round(frameRate))} fps`;
  return [codecName(codec), size, rate].filter(part => part !== '').join(' · ');
}

/** Codec and resolution of each track. */
export function SessionMedia({ session }: { session: ExternalSession }) {
  const measured = useStatistics(session);
  const lines =
    measured.length > 0
      ? measured.map(track => ({ id: track.trackID, text: describeTrack(track) }))
      : session.tracks.map(({ trackID, codec }) => ({ id: trackID, text: codecName(codec) }));
  if (lines.length === 0) return '–';
  return (
    <Stack gap={0}>
      {lines.map(({ id, text }) => (
        <Text key={id} size="sm">
          {text}
        </Text>
      ))}
    </Stack>
  );
}

export function SessionBitrate({ session }: { session: ExternalSession }) {
  const tracks = useStatistics(session);
  if (tracks.length === 0) return '–';
  const bits = tracks.reduce((sum, { bitrate }) => sum + bitrate, 0);
  return `${numberText(Math.round(bits / 1000))} kbit/s`;
}

/** The highest loss of the tracks. */
export function SessionLoss({ session }: { session: ExternalSession }) {
  const tracks = useStatistics(session);
  if (tracks.length === 0) return '–';
  const worst = Math.max(...tracks.map(({ fractionLost }) => fractionLost));
  return `${numberText(worst * 100)} %`;
}

export function SessionHealth({ session: { state, health } }: { session: Pick<ExternalSession, 'state' | 'health'> }) {
  if (state !== 'active') return '–';
  if (health.length === 0) {
    return (
      <Badge variant="light" color="teal" tt="none">
        Good
      </Badge>
    );
  }
  return (
    <Group gap={4}>
      {health.map(code => (
        <Badge key={code} variant="light" color="orange" tt="none" h="auto" py={2} styles={wrapping}>
          {healthCodes[code]}
        </Badge>
      ))}
    </Group>
  );
}
