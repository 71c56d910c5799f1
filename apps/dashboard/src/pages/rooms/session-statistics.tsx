import { Badge, Group, Stack, Text } from '@mantine/core';
import type { TrackStatistics } from '@rtms/contracts';
import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/query-keys.js';
import { roomTexts as texts } from '../../texts/rooms.js';
import { readStatistics, type ExternalSession } from './meeting-api.js';

const refetchMs = 2_000;
/** Sentences are longer than a badge's one line. */
const wrapping = { label: { whiteSpace: 'normal' } } as const;

/** What arrives at the media node now; asked once for all cells of a row. */
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

/** `video/VP8` says no more than `VP8`. */
function codecName(codec: string): string {
  return codec.split('/').at(-1) ?? codec;
}

function describeTrack({ codec, width, height, frameRate }: TrackStatistics): string {
  const size = width === null || height === null ? '' : texts.size(width, height);
  const rate = frameRate === null ? '' : texts.frames(Math.round(frameRate));
  return [codecName(codec), size, rate].filter(part => part !== '').join(' · ');
}

/** Codec and resolution of each track. */
export function SessionMedia({ session }: { session: ExternalSession }) {
  const measured = useStatistics(session);
  const lines =
    measured.length > 0
      ? measured.map(track => ({ id: track.trackID, text: describeTrack(track) }))
      : session.tracks.map(({ trackID, codec }) => ({ id: trackID, text: codecName(codec) }));
  if (lines.length === 0) return texts.notMeasured;
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
  if (tracks.length === 0) return texts.notMeasured;
  const bits = tracks.reduce((sum, { bitrate }) => sum + bitrate, 0);
  return texts.bitrateOf(Math.round(bits / 1000).toLocaleString());
}

/** The worst of its tracks. */
export function SessionLoss({ session }: { session: ExternalSession }) {
  const tracks = useStatistics(session);
  if (tracks.length === 0) return texts.notMeasured;
  const worst = Math.max(...tracks.map(({ fractionLost }) => fractionLost));
  return texts.lossOf((worst * 100).toFixed(1));
}

export function SessionHealth({ session: { state, health } }: { session: ExternalSession }) {
  if (state !== 'active') return texts.notMeasured;
  if (health.length === 0) {
    return (
      <Badge variant="light" color="teal" tt="none">
        {texts.healthy}
      </Badge>
    );
  }
  return (
    <Group gap={4}>
      {health.map(code => (
        <Badge key={code} variant="light" color="orange" tt="none" h="auto" py={2} styles={wrapping}>
          {texts.healthCodes[code]}
        </Badge>
      ))}
    </Group>
  );
}
