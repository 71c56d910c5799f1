import { Anchor, Box, Button, Group, Text } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { usePublishing } from './publishing.js';
import { LiveBadge } from '../parts/values.js';

/** The camera that publishes, on every page but that of its room. */
export function PublishingBar() {
  const { current, state, stop } = usePublishing();
  const video = useRef<HTMLVideoElement>(null);
  const stream = current?.stream;
  useEffect(() => {
    if (video.current) video.current.srcObject = stream ?? null;
  }, [stream]);
  if (!current) return null;
  const { phase, meetingID } = current;
  const isLive = phase === 'open' && state === 'live';
  const text = phase === 'opening' ? 'Connecting' : 'Waiting for the camera';
  return (
    <Group h="100%" px="md" gap="md" wrap="nowrap">
      <video ref={video} className="small-video" aria-label="Your camera" autoPlay playsInline muted />
      <LiveBadge isLive={isLive} otherwise={text} />
      <Text size="sm" truncate flex={1}>
        {meetingID === undefined ? (
          'Your camera'
        ) : (
          <Anchor component={Link} href={`/rooms/${meetingID}`} inherit>
            Your camera
          </Anchor>
        )}
      </Text>
      <Button
        variant="default"
        flex="none"
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        aria-label="Stop publishing"
        onClick={stop}
      >
        Stop
        <Box component="span" visibleFrom="xs">
          &nbsp;publishing
        </Box>
      </Button>
    </Group>
  );
}
