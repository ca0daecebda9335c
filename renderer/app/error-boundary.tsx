import { Component, type ReactNode } from 'react';
import { StoppedView } from './stopped-view.tsx';

interface State {
  readonly error: unknown;
  readonly failed: boolean;
}

/** Shows a defect of the window itself instead of an empty page; unsaved text is kept elsewhere. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null, failed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) {
      return this.props.children;
    }
    return (
      <StoppedView
        error={this.state.error}
        onRetry={() => this.setState({ error: null, failed: false })}
      />
    );
  }
}
