import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconReload } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { frameTexts as texts } from '../texts/frame.js';

const reaching: readonly string[] = ['connect-src', 'media-src'];

/**
 * The page's policy names the media nodes that were there when it was loaded. What it keeps the page from is a newer
 * one; loading the page again is left to its user, since media that runs would end.
 */
export function NewerNode() {
  const [isBlocked, setIsBlocked] = useState(false);
  useEffect(() => {
    const note = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (reaching.includes(effectiveDirective)) setIsBlocked(true);
    };
    document.addEventListener('securitypolicyviolation', note);
    return () => document.removeEventListener('securitypolicyviolation', note);
  }, []);
  if (!isBlocked) return null;
  return (
    <Alert color="yellow" role="alert" title={texts.newerNode} mb="lg" maw={1280} mx="auto">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{texts.newerNodeText}</Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconReload size={16} aria-hidden />}
          onClick={() => location.reload()}
        >
          {texts.loadAgain}
        </Button>
      </Stack>
    </Alert>
  );
}
