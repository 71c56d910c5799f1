import { encode } from 'uqr';

interface QrCodeProps {
  text: string;
  label: string;
}

/** The quiet zone that QR readers need, in modules. */
const border = 4;
const shownSize = 220;

/** QR readers expect dark on light, so the color scheme does not apply. */
export default function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { border });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={shownSize}
      height={shownSize}
      shapeRendering="crispEdges"
      display="block"
      style={{ margin: '0 auto' }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
