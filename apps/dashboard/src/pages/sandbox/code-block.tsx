import { Box, Code } from '@mantine/core';
import { CopyButton } from '../../parts/copy-button.js';

const style = {
  overflow: 'auto',
  background: 'var(--mantine-color-body)',
  border: '1px solid var(--mantine-color-default-border)',
};

/** Code that is read, and copied at its corner; it scrolls by keyboard too. */
export function CodeBlock({ code, what }: { code: string; what: string }) {
  return (
    <Box pos="relative">
      <Code block tabIndex={0} role="region" aria-label={what} mah={420} p="md" pr={48} style={style}>
        {code}
      </Code>
      <Box pos="absolute" top={6} right={6}>
        <CopyButton value={code} what={what} />
      </Box>
    </Box>
  );
}
