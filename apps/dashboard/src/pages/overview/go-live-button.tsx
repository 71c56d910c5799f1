import { Alert, Button, Stack } from '@mantine/core';
import { IconVideoPlus } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { CameraNeedsHttps, mayUseCamera } from '../../media/camera-access.js';
import { usePublishing } from '../../media/publishing.js';

/** Creates a room, publishes this browser's camera into it, and opens its page, which then plays it by WHEP and HLS. */
export function GoLiveButton() {
  const { current, problem, start, startPlayersOf } = usePublishing();
  const [, navigate] = useLocation();
  const goLive = async () => {
    const meetingID = await start();
    if (meetingID === undefined) return;
    startPlayersOf(meetingID);
    navigate(`/rooms/${meetingID}`);
  };
  return (
    <Stack gap="xs" align="flex-end" maw={420}>
      <Button
        leftSection={<IconVideoPlus size={16} aria-hidden />}
        loading={current?.phase === 'opening'}
        disabled={current?.phase === 'open' || !mayUseCamera()}
        onClick={() => void goLive()}
      >
        Go live in this browser
      </Button>
      <CameraNeedsHttps />
      {problem !== undefined && !current && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
    </Stack>
  );
}
