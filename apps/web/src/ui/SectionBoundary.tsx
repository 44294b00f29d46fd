import { Component, type ReactNode } from 'react'
import { SectionError } from './SectionError.tsx'

type Props = {
  children: ReactNode
  /** Called before the section is tried again, to throw away what made it fail. */
  onRetry?: (error: Error) => void
  /** A change of it tries again by itself, as a change of route does. */
  resetKey?: string
}
type State = { error: Error | null; resetKey: string | undefined }

/** Keeps a section's failure inside the section. */
export class SectionBoundary extends Component<Props, State> {
  override state: State = { error: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey }
  }

  private readonly handleRetry = () => {
    if (this.state.error) this.props.onRetry?.(this.state.error)
    this.setState({ error: null })
  }

  override render() {
    const { error } = this.state
    return error ? <SectionError error={error} onRetry={this.handleRetry} /> : this.props.children
  }
}
