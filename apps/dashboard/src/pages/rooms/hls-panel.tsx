import { IconBroadcast } from '@tabler/icons-react';
import { playHls } from '../../media/hls.js';
import { useMedia, type OpenMedia } from '../../media/use-media.js';
import { roomTexts as texts } from '../../texts/rooms.js';
import { broadcasts, type Broadcast, type ExternalSession } from './meeting-api.js';
import { useSource } from './use-source.js';
import { VideoPanel } from './video-panel.js';

const pollMs = 1_000;
const newest = { startIndex: 0, pageSize: 100 };

function isOver({ state }: Broadcast): boolean {
  return state === 'ended' || state === 'failed';
}

/** The broadcast of a session that runs, else a new one. */
async function broadcastOf({ meetingID, sessionID }: ExternalSession, signal: AbortSignal): Promise<Broadcast> {
  const { items } = await broadcasts.list(meetingID, newest, signal);
  const running = items.find(one => one.sourceSessionID === sessionID && !isOver(one));
  return running ?? broadcasts.create(meetingID, { sourceSessionID: sessionID });
}

/** Asks until its first segments can be played. */
async function whenActive({ meetingID, broadcastID }: Broadcast, signal: AbortSignal): Promise<Broadcast> {
  for (;;) {
    const broadcast = await broadcasts.find(meetingID, broadcastID, signal);
    if (broadcast.state === 'active' && broadcast.playbackUrl !== null) return broadcast;
    if (isOver(broadcast)) throw new Error(texts.broadcastOver);
    await new Promise(resolve => setTimeout(resolve, pollMs));
  }
}

const broadcastAndWatch: OpenMedia<ExternalSession> = async (source, { video, signal, onLost }) => {
  const broadcast = await whenActive(await broadcastOf(source, signal), signal);
  return playHls(video, broadcast.playbackUrl ?? '', what => onLost(texts.hlsFailed(what)));
};

export function HlsPanel({ meetingID }: { meetingID: string }) {
  const media = useMedia(broadcastAndWatch);
  const { source, choice } = useSource(meetingID);
  return (
    <VideoPanel
      title={texts.hlsTitle}
      text={texts.hlsText}
      videoLabel={texts.hlsVideo}
      media={media}
      startLabel={texts.broadcastAndWatch}
      stopLabel={texts.stopHls}
      startIcon={IconBroadcast}
      onStart={source && (() => media.start(source))}
      withControls
      openingText={texts.hlsStarting}
    >
      {media.phase === 'idle' && choice}
    </VideoPanel>
  );
}
