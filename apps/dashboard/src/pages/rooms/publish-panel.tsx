import { useQueryClient } from '@tanstack/react-query';
import { IconCamera } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useMedia, type OpenMedia } from '../../media/use-media.js';
import { publish } from '../../media/whip.js';
import { roomTexts as texts } from '../../texts/rooms.js';
import { sessions } from './meeting-api.js';
import { VideoPanel } from './video-panel.js';

const cameraWishes: MediaStreamConstraints = { audio: true, video: { width: { ideal: 1280 }, height: { ideal: 720 } } };

async function openCamera(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia(cameraWishes).catch((error: unknown) => {
    throw new Error(texts.noCamera, { cause: error });
  });
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Makes an external session for this browser and publishes into it. */
const publishCamera: OpenMedia<string> = async (meetingID, { video, onLost }) => {
  const stream = await openCamera();
  video.srcObject = stream;
  try {
    const { ingest } = await sessions.create(meetingID, {
      displayName: texts.cameraName,
      ingest: { protocol: 'whip', tracks: ['video', 'audio'] },
    });
    const opened = await publish(stream, { url: ingest.url ?? '', token: ingest.token ?? '' });
    opened.connection.addEventListener('connectionstatechange', () => {
      if (opened.connection.connectionState === 'failed') onLost(texts.connectionLost);
    });
    const close = () => {
      stopTracks(stream);
      return opened.close();
    };
    return { close };
  } catch (error) {
    stopTracks(stream);
    throw error;
  }
};

export function PublishPanel({ meetingID }: { meetingID: string }) {
  const client = useQueryClient();
  const open: OpenMedia<string> = useCallback(
    async (fields, place) => {
      const opened = await publishCamera(fields, place);
      void client.invalidateQueries({ queryKey: ['externalSession'] });
      return opened;
    },
    [client],
  );
  const media = useMedia(open);
  return (
    <VideoPanel
      title={texts.publishTitle}
      text={texts.publishText}
      videoLabel={texts.publishPreview}
      media={media}
      startLabel={texts.publish}
      stopLabel={texts.stopPublishing}
      startIcon={IconCamera}
      onStart={() => media.start(meetingID)}
    />
  );
}
