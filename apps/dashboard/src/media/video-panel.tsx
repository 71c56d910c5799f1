import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlayerStop, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { MediaControls } from './use-media.js';
import { LiveBadge } from '../parts/values.js';

interface VideoPanelProps {
  title: string;
  text: string;
  /** Names the video for screen readers. */
  videoLabel: string;
  media: Omit<MediaControls<never>, 'start'>;
  startLabel: string;
  stopLabel: string;
  startIcon: Icon;
  /** undefined: nothing can start. */
  onStart: (() => void) | undefined;
  /** Shows the browser's controls. */
  withControls?: boolean;
  /** Shown while the media opens. */
  openingText?: string;
  /** Fields to choose from before the start. */
  children?: ReactNode;
}

/** A video with one button to start and stop it. */
export function VideoPanel(props: VideoPanelProps) {
  const { title, text, videoLabel, media, withControls = false, openingText = 'Connecting …', children } = props;
  const { video, phase, state, problem, ended } = media;
  return (
    <Card component="section" aria-label={title}>
      <Stack h="100%" gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {title}
          </Title>
          {phase === 'open' && <LiveBadge isLive={state === 'live'} />}
        </Group>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        <video ref={video} aria-label={videoLabel} autoPlay playsInline muted controls={withControls} />
        {problem !== undefined && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {ended !== undefined && (
          <Alert color="gray" role="status" title="Ended">
            {ended}
          </Alert>
        )}
        {phase === 'opening' && (
          <Text size="sm" role="status">
            {openingText}
          </Text>
        )}
        {children}
        <StartStop {...props} />
      </Stack>
    </Card>
  );
}

function StartStop({ media, startLabel, stopLabel, startIcon: StartIcon, onStart }: VideoPanelProps) {
  if (media.phase !== 'idle') {
    return (
      <Button
        mt="auto"
        variant="default"
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        onClick={() => media.stop()}
      >
        {stopLabel}
      </Button>
    );
  }
  return (
    <Button mt="auto" leftSection={<StartIcon size={16} aria-hidden />} disabled={!onStart} onClick={() => onStart?.()}>
      {startLabel}
    </Button>
  );
}
