import { Alert, Button, Group, Select, Text } from '@mantine/core';
import { IconBroadcast, IconPlayerPlay } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useAction } from '../parts/actions.js';
import { endTexts } from './reasons.js';
import {
  broadcasts,
  isOver,
  playbacks,
  useActiveSessions,
  type Broadcast,
  type ExternalSession,
} from '../api/meetings.js';
import { playSource } from './play-source.js';
import { useMedia, type OpenMedia } from './use-media.js';
import { VideoPanel } from './video-panel.js';

/** Plays a session by playbacks for this browser: a token of a playback is issued only with it. */
const watchSession: OpenMedia<ExternalSession> = async ({ meetingID, sessionID, tracks }, place) => {
  const kinds = [...new Set(tracks.filter(({ state }) => state !== 'ended').map(({ kind }) => kind))];
  const session = { kind: 'externalSession', meetingID, id: sessionID } as const;
  const renew = async () => {
    const { playbackID, endpoint, token } = await playbacks.create(meetingID, {
      sourceSessionID: sessionID,
      tracks: kinds,
      payloadMatching: 'adaptive',
    });
    place.follow([session, { kind: 'playback', meetingID, id: playbackID }]);
    return { whep: { url: endpoint ?? '', token: token ?? '', tracks: kinds } };
  };
  return playSource({ source: await renew(), renew }, place);
};

interface PlayerProps {
  meetingID: string;
  /** Starts without a click, once a source sends. */
  startsItself: boolean;
}

export function WhepPanel({ meetingID, startsItself }: PlayerProps) {
  const media = useMedia(watchSession);
  const { source, choice } = useSource(meetingID);
  useStartOnce(startsItself, source, media.start);
  return (
    <VideoPanel
      title="Watch by WHEP"
      text="A WebRTC player, with less than a second of delay."
      videoLabel="WHEP player"
      media={media}
      startLabel="Watch"
      stopLabel="Stop watching"
      startIcon={IconPlayerPlay}
      onStart={source && (() => media.start(source))}
      withControls
    >
      {media.phase === 'idle' && choice}
    </VideoPanel>
  );
}

const pollMs = 1_000;
const newest = { startIndex: 0, pageSize: 100 };

/** The running broadcast of a session, or a new one. */
async function broadcastOf({ meetingID, sessionID }: ExternalSession, signal: AbortSignal): Promise<Broadcast> {
  const { items } = await broadcasts.list(meetingID, newest, signal);
  const running = items.find(one => one.sourceSessionID === sessionID && !isOver(one));
  return running ?? broadcasts.create(meetingID, { sourceSessionID: sessionID });
}

/** Polls until players can fetch the first segments. */
async function whenActive({ meetingID, broadcastID }: Broadcast, signal: AbortSignal): Promise<Broadcast> {
  for (;;) {
    const broadcast = await broadcasts.find(meetingID, broadcastID, signal);
    if (broadcast.state === 'active' && broadcast.playbackUrl !== null) return broadcast;
    if (isOver(broadcast)) throw new Error(`The broadcast ended. ${endTexts[broadcast.endReason ?? 'encoder_failed']}`);
    await new Promise(resolve => setTimeout(resolve, pollMs));
  }
}

const watchBroadcast: OpenMedia<Broadcast> = async (started, place) => {
  const { meetingID, broadcastID, playbackUrl, sourceSessionID } = await whenActive(started, place.signal);
  const session = { kind: 'externalSession', meetingID, id: sourceSessionID ?? '' } as const;
  place.follow([session, { kind: 'broadcast', meetingID, id: broadcastID }]);
  const renew = async () => {
    const { playbackUrl: hls } = await broadcasts.find(meetingID, broadcastID, place.signal);
    if (hls === null) throw new Error('The broadcast is interrupted.');
    return { hls };
  };
  return playSource({ source: { hls: playbackUrl ?? '' }, renew }, place);
};

export function HlsPanel({ meetingID, startsItself }: PlayerProps) {
  const [watched, setWatched] = useState<Broadcast>();
  const [left, setLeft] = useState<Broadcast>();
  const open: OpenMedia<ExternalSession> = useCallback(async (source, place) => {
    setLeft(undefined);
    const broadcast = await broadcastOf(source, place.signal);
    setWatched(broadcast);
    return watchBroadcast(broadcast, place);
  }, []);
  const media = useMedia(open);
  const { source, choice } = useSource(meetingID);
  useStartOnce(startsItself, source, media.start);
  const stop = () => {
    media.stop();
    setLeft(watched);
  };
  return (
    <VideoPanel
      title="Watch by HLS"
      text="A broadcast for many viewers, with a delay of a few seconds."
      videoLabel="HLS player"
      media={{ ...media, stop }}
      startLabel="Broadcast and watch"
      stopLabel="Stop watching"
      startIcon={IconBroadcast}
      onStart={source && (() => media.start(source))}
      withControls
      openingText="The broadcast is starting. The first segments take a few seconds."
    >
      {left && <StopBroadcast broadcast={left} onDone={() => setLeft(undefined)} />}
      {media.phase === 'idle' && choice}
    </VideoPanel>
  );
}

/** The user has stopped watching. The broadcast continues for others, and costs as much as before. */
function StopBroadcast({ broadcast, onDone }: { broadcast: Broadcast; onDone: () => void }) {
  const stop = useAction({
    run: () => broadcasts.end(broadcast.meetingID, broadcast.broadcastID),
    success: 'The broadcast was stopped.',
    changes: ['broadcast'],
    onDone,
  });
  return (
    <Alert color="yellow" role="status" title="The broadcast continues">
      <Text size="sm" mb="sm">
        Others can still watch it.
      </Text>
      <Group gap="xs">
        <Button size="xs" color="red.9" loading={stop.isPending} onClick={() => stop.mutate()}>
          Stop the broadcast
        </Button>
        <Button size="xs" variant="default" onClick={onDone}>
          Keep it
        </Button>
      </Group>
    </Alert>
  );
}

/** Calls `start` with the first source, once. */
function useStartOnce<Source>(isWanted: boolean, source: Source | undefined, start: (source: Source) => void): void {
  const hasStarted = useRef(false);
  useEffect(() => {
    if (!isWanted || source === undefined || hasStarted.current) return;
    hasStarted.current = true;
    start(source);
  });
}

/** Returns the chosen session, by default the newest, and the field to choose it. */
function useSource(meetingID: string): { source: ExternalSession | undefined; choice: ReactNode } {
  const active = useActiveSessions(meetingID);
  const [chosen, setChosen] = useState<string | null>(null);
  const source = active.find(({ sessionID }) => sessionID === chosen) ?? active[0];
  const choice = (
    <Select
      label="Source"
      data={active.map(({ sessionID, displayName }) => ({ value: sessionID, label: displayName }))}
      value={source?.sessionID ?? null}
      onChange={setChosen}
      placeholder="Nobody publishes yet."
      disabled={active.length === 0}
      allowDeselect={false}
    />
  );
  return { source, choice };
}
