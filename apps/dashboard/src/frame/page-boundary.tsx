import { Component, type ReactNode } from 'react';
import { LoadFailure } from '../parts/page.js';

interface BoundaryState {
  error: unknown;
}

/** Keeps header and navigation alive when a page throws. */
export class PageBoundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { error: undefined };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <LoadFailure title="This page stopped working" error={error} onRetry={() => location.reload()} />;
  }
}
