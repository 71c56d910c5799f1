import { Alert, Anchor } from '@mantine/core';
import { IconCamera } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { CameraNeedsHttps, mayUseCamera } from './camera-access.js';
import { usePublishing } from './publishing.js';
import { VideoPanel } from './video-panel.js';

export function PublishPanel({ meetingID }: { meetingID: string }) {
  const { current, state, problem, ended, start, stop } = usePublishing();
  const own = current?.meetingID === meetingID ? current : undefined;
  const video = useRef<HTMLVideoElement>(null);
  const stream = own?.stream;
  useEffect(() => {
    if (video.current) video.current.srcObject = stream ?? null;
  }, [stream]);
  return (
    <VideoPanel
      title="Publish"
      text="Send this browser’s camera and microphone into the room by WHIP."
      videoLabel="Your camera"
      media={{ video, phase: own?.phase ?? 'idle', state, problem, ended, stop }}
      startLabel="Publish camera"
      stopLabel="Stop publishing"
      startIcon={IconCamera}
      onStart={current || !mayUseCamera() ? undefined : () => void start(meetingID)}
    >
      <CameraNeedsHttps />
      {current && !own && <PublishesElsewhere meetingID={current.meetingID} />}
    </VideoPanel>
  );
}

function PublishesElsewhere({ meetingID = '' }: { meetingID: string | undefined }) {
  return (
    <Alert color="gray">
      Your camera publishes into{' '}
      <Anchor component={Link} href={`/rooms/${meetingID}`} inherit>
        another room
      </Anchor>
      . Stop it there first.
    </Alert>
  );
}
