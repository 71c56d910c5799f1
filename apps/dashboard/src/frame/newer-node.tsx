import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconReload } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

/** The directives of the content policy that list media nodes. */
const directives: readonly string[] = ['connect-src', 'media-src'];

/**
 * The page's content policy lists the media nodes at the time of loading, so a blocked request means a newer node. The user
 * decides when to reload, because reloading ends running media.
 */
export function NewerNode() {
  const [isBlocked, setIsBlocked] = useState(false);
  useEffect(() => {
    const note = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (directives.includes(effectiveDirective)) setIsBlocked(true);
    };
    document.addEventListener('securitypolicyviolation', note);
    return () => document.removeEventListener('securitypolicyviolation', note);
  }, []);
  if (!isBlocked) return null;
  return (
    <Alert
      color="yellow"
      role="alert"
      title="A new media node started after this page was loaded"
      mb="lg"
      maw={1280}
      mx="auto"
    >
      <Stack align="flex-start" gap="sm">
        <Text size="sm">Reload the page to use the node. Media that plays or is published on this page then ends.</Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconReload size={16} aria-hidden />}
          onClick={() => location.reload()}
        >
          Reload
        </Button>
      </Stack>
    </Alert>
  );
}
