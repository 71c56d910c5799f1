import { Skeleton, type SkeletonProps } from '@mantine/core';
import { frameTexts } from '../texts/frame.js';

interface WaitingProps extends SkeletonProps {
  /** What is waited for. */
  label?: string;
}

/** In the place of what is being fetched. */
export function Waiting({ label = frameTexts.loading, ...size }: WaitingProps) {
  return <Skeleton {...size} role="progressbar" aria-label={label} />;
}
