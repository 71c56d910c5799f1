import { Center, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { encode } from 'uqr';
import { CopyButton } from '../../parts/copy-button.js';
import { monospace } from '../../parts/monospace.js';
import { profileTexts as texts } from '../../texts/profile.js';

const sidePixels = 200;

/** What an authenticator app scans, always dark on light: some read nothing else. */
export function TotpSecret({ uri, secret }: { uri: string; secret: string }) {
  const { size, data } = useMemo(() => encode(uri, { border: 2 }), [uri]);
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <>
      <Center>
        <svg
          role="img"
          aria-label={texts.qrCode}
          viewBox={`0 0 ${size} ${size}`}
          width={sidePixels}
          height={sidePixels}
        >
          <rect width={size} height={size} fill="#fff" />
          <path d={squares.join('')} fill="#000" shapeRendering="crispEdges" />
        </svg>
      </Center>
      <TextInput
        label={texts.secret}
        value={secret}
        readOnly
        styles={monospace}
        rightSection={<CopyButton value={secret} what={texts.secret} />}
      />
    </>
  );
}
