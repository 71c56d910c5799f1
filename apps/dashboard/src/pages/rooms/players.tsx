import { Select } from '@mantine/core';
import { IconBroadcast, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { shownKey } from '../../api/resource.js';
import { watch } from './http-signalling.js';
import { broadcasts, isOver, playbacks, sessions, type Broadcast, type ExternalSession } from './meeting-api.js';
import { useMedia, type Media, type OpenMedia } from './use-media.js';
import { VideoPanel } from './video-panel.js';

/** Creates a playback of a session for this browser, and plays it. */
const watchSession: OpenMedia<ExternalSession> = async ({ meetingID, sessionID, tracks }, { video, onLost }) => {
  const kinds = [...new Set(tracks.filter(({ state }) => state !== 'ended').map(({ kind }) => kind))];
  const { endpoint, token } = await playbacks.create(meetingID, {
    sourceSessionID: sessionID,
    tracks: kinds,
    payloadMatching: 'adaptive',
  });
  const watching = await watch(kinds, { url: endpoint ?? '', token: token ?? '', onLost });
  video.srcObject = watching.stream;
  return watching;
};

export function WhepPanel({ meetingID }: { meetingID: string }) {
  const media = useMedia(watchSession);
  const { source, choice } = useSource(meetingID);
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
    if (isOver(broadcast)) throw new Error('The broadcast ended.');
    await new Promise(resolve => setTimeout(resolve, pollMs));
  }
}

const broadcastAndWatch: OpenMedia<ExternalSession> = async (source, { video, signal, onLost }) => {
  const broadcast = await whenActive(await broadcastOf(source, signal), signal);
  return playHls(video, broadcast.playbackUrl ?? '', what => onLost(`The player stopped: ${what}.`));
};

export function HlsPanel({ meetingID }: { meetingID: string }) {
  const media = useMedia(broadcastAndWatch);
  const { source, choice } = useSource(meetingID);
  return (
    <VideoPanel
      title="Watch by HLS"
      text="A broadcast for many viewers, with a delay of a few seconds."
      videoLabel="HLS player"
      media={media}
      startLabel="Broadcast and watch"
      stopLabel="Stop watching"
      startIcon={IconBroadcast}
      onStart={source && (() => media.start(source))}
      withControls
      openingText="The broadcast is starting. The first segments take a few seconds."
    >
      {media.phase === 'idle' && choice}
    </VideoPanel>
  );
}

/** Loads hls.js on first use. Safari plays HLS itself. */
async function playHls(video: HTMLVideoElement, url: string, onFatal: (what: string) => void): Promise<Media> {
  const { default: Hls } = await import('hls.js');
  if (!Hls.isSupported()) {
    video.src = url;
    return { close: () => video.removeAttribute('src') };
  }
  const player = new Hls({ liveSyncDurationCount: 2, backBufferLength: 30 });
  player.on(Hls.Events.ERROR, (_, { fatal, details }) => {
    if (fatal) onFatal(details);
  });
  player.loadSource(url);
  player.attachMedia(video);
  return { close: () => player.destroy() };
}

/** Returns the chosen session, by default the newest, and the field to choose it. */
function useSource(meetingID: string): { source: ExternalSession | undefined; choice: ReactNode } {
  const { data } = useQuery({
    queryKey: shownKey('externalSession', 'active', meetingID),
    queryFn: ({ signal }) => sessions.list(meetingID, newest, signal),
  });
  const active = data?.items.filter(({ state }) => state === 'active') ?? [];
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
