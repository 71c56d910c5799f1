import { Component, type ReactNode } from 'react';
import { LoadFailure } from '../parts/load-failure.js';
import { frameTexts } from '../texts/frame.js';

interface BoundaryState {
  error: unknown;
}

/** A page that throws takes nothing else with it. */
export class PageBoundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { error: undefined };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <LoadFailure title={frameTexts.pageBroke} error={error} onRetry={() => location.reload()} />;
  }
}
