import { Card, Grid, Stack } from '@mantine/core';
import { useState } from 'react';
import { useSignedIn } from '../../api/session.js';
import { useAddressChoice } from '../../parts/address-choice.js';
import { Loaded, Page } from '../../parts/page.js';
import { EndpointChoice, EndpointForm } from './endpoint-form.js';
import { endpointsOf, type OpenApiDocument } from './endpoints.js';
import { KeyInput } from './key-input.js';
import { useKnownKeys, useOpenApiDocument } from './sandbox-api.js';
import { checkCredential } from './sandbox-credential.js';

export default function SandboxPage() {
  return (
    <Page
      title="API explorer"
      description="Try every endpoint with your sandbox key, and copy the call as curl or TypeScript."
    >
      <Loaded query={useOpenApiDocument()} height={320}>
        {document => <Explorer document={document} />}
      </Loaded>
    </Page>
  );
}

const firstShown = 'POST /v1/rooms create';

function Explorer({ document }: { document: OpenApiDocument }) {
  const [key, setKey] = useState('');
  const [endpoints] = useState(() => endpointsOf(document));
  const ids = endpoints.map(({ id }) => id);
  const [chosenID, setChosenID] = useAddressChoice({ name: 'call', values: ids, initial: firstShown });
  const { data: knownKeys = [] } = useKnownKeys();
  const { account } = useSignedIn();
  const check = checkCredential(key, account?.apiUserName ?? '', knownKeys);
  const chosen = endpoints.find(({ id }) => id === chosenID) ?? endpoints[0];
  if (!chosen) return null;
  return (
    <Stack gap="lg">
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <KeyInput document={document} value={key} onChange={setKey} verdict={check.verdict} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Card h="100%">
            <EndpointChoice endpoints={endpoints} chosen={chosen} onChange={setChosenID} />
          </Card>
        </Grid.Col>
      </Grid>
      <EndpointForm
        key={chosen.id}
        endpoint={chosen}
        credential={check.verdict === 'sandbox' ? check.credential : undefined}
      />
    </Stack>
  );
}
