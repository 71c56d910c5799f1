import { Button, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Page } from '../parts/page.js';
import { frameTexts } from '../texts/frame.js';

export function NotFoundPage() {
  return (
    <Page title={frameTexts.pages.notFound}>
      <Text>{frameTexts.notFoundText}</Text>
      <Button component={Link} href="/" variant="light" w="fit-content">
        {frameTexts.backToStart}
      </Button>
    </Page>
  );
}
