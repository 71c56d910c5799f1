import { Tabs } from '@mantine/core';
import { Section } from '../../parts/section.js';
import { sandboxTexts as texts } from '../../texts/sandbox.js';
import { CodeBlock } from './code-block.js';
import type { SandboxRequest } from './sandbox-request.js';
import { curlSnippet, httpSnippet, typeScriptSnippet } from './snippets.js';

/** The call as it is sent, and as one takes it along. The key is in none of them. */
export function RequestView({ request }: { request: SandboxRequest }) {
  const { origin } = window.location;
  const forms = [
    { value: 'http', label: texts.raw, code: httpSnippet(request) },
    { value: 'curl', label: texts.curl, code: curlSnippet(request, origin) },
    { value: 'typescript', label: texts.typeScript, code: typeScriptSnippet(request, origin) },
  ];
  return (
    <Section title={texts.request}>
      <Tabs defaultValue="http" keepMounted={false}>
        <Tabs.List mb="sm">
          {forms.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {forms.map(({ value, label, code }) => (
          <Tabs.Panel key={value} value={value}>
            <CodeBlock code={code} what={label} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}
