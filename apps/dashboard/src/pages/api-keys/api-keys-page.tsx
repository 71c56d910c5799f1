import { Tabs } from '@mantine/core';
import { useState } from 'react';
import { IssuedCredentialDialog, type IssuedCredential } from '../../parts/issued-credential.js';
import { Page } from '../../parts/page.js';
import { apiKeysTexts as texts } from '../../texts/api-keys.js';
import { DisposableKeys } from './disposable-keys.js';
import { MainKeys } from './main-keys.js';

export default function ApiKeysPage() {
  const [issued, setIssued] = useState<IssuedCredential>();
  return (
    <Page title={texts.title} description={texts.description}>
      <Tabs defaultValue="main" keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="main">{texts.tabs.main}</Tabs.Tab>
          <Tabs.Tab value="disposable">{texts.tabs.disposable}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="main">
          <MainKeys onIssued={setIssued} />
        </Tabs.Panel>
        <Tabs.Panel value="disposable">
          <DisposableKeys onIssued={setIssued} />
        </Tabs.Panel>
      </Tabs>
      <IssuedCredentialDialog issued={issued} onClose={() => setIssued(undefined)} />
    </Page>
  );
}
