import { IconPlayerPlay } from '@tabler/icons-react';
import { useMedia, type OpenMedia } from '../../media/use-media.js';
import { watch } from '../../media/whep.js';
import { roomTexts as texts } from '../../texts/rooms.js';
import { playbacks, type ExternalSession } from './meeting-api.js';
import { useSource } from './use-source.js';
import { VideoPanel } from './video-panel.js';

/** Makes a playback of a session for this browser and receives it. */
const watchSession: OpenMedia<ExternalSession> = async ({ meetingID, sessionID, tracks }, { video, onLost }) => {
  const kinds = [...new Set(tracks.filter(({ state }) => state !== 'ended').map(({ kind }) => kind))];
  const { endpoint, token } = await playbacks.create(meetingID, {
    sourceSessionID: sessionID,
    tracks: kinds,
    payloadMatching: 'adaptive',
  });
  const watching = await watch(kinds, { url: endpoint ?? '', token: token ?? '' });
  video.srcObject = watching.stream;
  watching.connection.addEventListener('connectionstatechange', () => {
    if (watching.connection.connectionState === 'failed') onLost(texts.connectionLost);
  });
  return watching;
};

export function WhepPanel({ meetingID }: { meetingID: string }) {
  const media = useMedia(watchSession);
  const { source, choice } = useSource(meetingID);
  return (
    <VideoPanel
      title={texts.watchTitle}
      text={texts.watchText}
      videoLabel={texts.whepVideo}
      media={media}
      startLabel={texts.watch}
      stopLabel={texts.stopWatching}
      startIcon={IconPlayerPlay}
      onStart={source && (() => media.start(source))}
      withControls
    >
      {media.phase === 'idle' && choice}
    </VideoPanel>
  );
}
