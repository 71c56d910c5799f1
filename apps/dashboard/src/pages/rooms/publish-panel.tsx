import { useQueryClient } from '@tanstack/react-query';
import { IconCamera } from '@tabler/icons-react';
import { useCallback } from 'react';
import { publish } from './http-signalling.js';
import { sessions } from './meeting-api.js';
import { useMedia, type OpenMedia } from './use-media.js';
import { VideoPanel } from './video-panel.js';

const cameraConstraints: MediaStreamConstraints = {
  audio: true,
  video: { width: { ideal: 1280 }, height: { ideal: 720 } },
};

async function openCamera(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia(cameraConstraints).catch((error: unknown) => {
    throw new Error(
      'The page cannot use the camera. Allow it in the browser, and check that no other program uses it.',
      { cause: error },
    );
  });
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Creates an external session for this browser, and publishes into it. */
const publishCamera: OpenMedia<string> = async (meetingID, { video, onLost }) => {
  const stream = await openCamera();
  video.srcObject = stream;
  try {
    const { ingest } = await sessions.create(meetingID, {
      displayName: 'Browser camera',
      ingest: { protocol: 'whip', tracks: ['video', 'audio'] },
    });
    const opened = await publish(stream, { url: ingest.url ?? '', token: ingest.token ?? '', onLost });
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
      title="Publish"
      text="Send this browser’s camera and microphone into the room by WHIP."
      videoLabel="Your camera"
      media={media}
      startLabel="Publish camera"
      stopLabel="Stop publishing"
      startIcon={IconCamera}
      onStart={() => media.start(meetingID)}
    />
  );
}
