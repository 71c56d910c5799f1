import { Anchor, Card, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyBlock } from '../../parts/hand-over.js';
import { Page, Section } from '../../parts/page.js';

/** Steps to a page that may use the camera. */
export default function HttpsPage() {
  const { origin, port } = window.location;
  return (
    <Page
      title="HTTPS for the camera"
      description="Browsers give the camera and the microphone only to pages on HTTPS or localhost."
    >
      <Card role="status">
        {window.isSecureContext ? (
          <Text size="sm">{`This page may use the camera: the browser trusts ${origin}.`}</Text>
        ) : (
          <Text size="sm">{`This page may not use the camera: ${origin} is neither HTTPS nor localhost.`}</Text>
        )}
      </Card>
      <Way
        title="On the machine that runs RTMS"
        text="Open the dashboard by the name localhost. Nothing else is needed."
      >
        <CopyBlock label="Address on localhost" value={`http://localhost${port === '' ? '' : `:${port}`}/dashboard`} />
      </Way>
      <Way title="From other machines in the network">
        <List type="ordered" size="sm" spacing="xs">
          <List.Item>Stop RTMS with Ctrl-C, and start it again with this command.</List.Item>
          <List.Item>Open the HTTPS address that it prints.</List.Item>
          <List.Item>
            The browser warns once. To avoid the warning, trust the certificate in
            .rtms/caddy/caddy/pki/authorities/local/root.crt on each machine.
          </List.Item>
        </List>
        <CopyBlock label="Command for the network" value="npm start -- --lan" />
      </Way>
      <Way
        title="On the internet, with a domain"
        text="Let the name point to the machine, and open the ports 80 and 443. The certificate comes from Let’s Encrypt."
      >
        <CopyBlock label="Command for a domain" value="npm start -- --domain example.org" />
      </Way>
      <Way
        title="Behind a reverse proxy of yours"
        text="Serve gateway, SFU and transcoder by HTTPS, and tell each service its address."
      >
        <CopyBlock
          label="Settings behind a proxy"
          value={`GATEWAY_PUBLIC_URL=https://rtms.example.org
SFU_PUBLIC_URL=https://sfu.example.org
TRANSCODER_PUBLIC_URL=https://hls.example.org`}
        />
      </Way>
      <Text size="sm" c="dimmed">
        The ports and certificates are described in docs/operations.md and docs/tls.md of the source. The reference of
        the API is at{' '}
        <Anchor href="/docs" underline="always" inherit>
          /docs
        </Anchor>
        .
      </Text>
    </Page>
  );
}

function Way({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <Section title={title} {...(text !== undefined && { text })}>
      <Stack gap="sm">{children}</Stack>
    </Section>
  );
}
