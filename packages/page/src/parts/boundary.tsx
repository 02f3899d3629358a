import { Button } from '@mantine/core'
import { Component, type ReactElement, type ReactNode } from 'react'

import { Empty } from './empty.tsx'

interface BoundaryProps {
  /** What is inside, for the words: `The tools`. */
  readonly name: string
  readonly children: ReactNode
}

/**
 * A part of the page that may fail without the others: a server can say anything, and the page has to outlive it. A
 * class, against our habit: there is no other way to catch what a component throws.
 */
export class Boundary extends Component<BoundaryProps, { readonly problem?: Error | undefined }> {
  override state: { readonly problem?: Error | undefined } = {}

  static getDerivedStateFromError(error: unknown): { readonly problem: Error } {
    return { problem: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { problem } = this.state
    if (problem === undefined) return this.props.children
    return this.#failed(problem)
  }

  #failed({ message }: Error): ReactElement {
    return (
      <Empty
        icon="alert"
        title={`${this.props.name} cannot be shown`}
        action={<Button onClick={() => this.setState({ problem: undefined })}>Try again</Button>}
      >
        Something unexpected happened: {message}. The other parts, and the trace, still work.
      </Empty>
    )
  }
}
