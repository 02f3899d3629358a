import { announce, showProblem } from '@parley/page/parts'
import { create } from 'zustand'

import { openChannel } from '../channel.ts'

/** One resource that is watched. */
export interface Subscription {
  readonly since: number
  /** How often the server said that it changed. */
  readonly updates: number
  readonly lastAt?: number | undefined
}

/** By server and address. */
export const useSubscriptions = create<{ readonly [key: string]: Subscription | undefined }>(
  () => ({}),
)

/** Where a subscription is kept. */
export function subscriptionKey(server: string, uri: string): string {
  return `${server}\n${uri}`
}

/** Watches a resource; a failure is shown. */
export async function subscribe(server: string, uri: string): Promise<void> {
  try {
    await openChannel().ask('resources/subscribe', { server, uri })
    useSubscriptions.setState({
      [subscriptionKey(server, uri)]: { since: Date.now(), updates: 0 },
    })
    announce(`Subscribed to ${uri}`)
  } catch (error) {
    showProblem(error, 'Not subscribed')
  }
}

/** Stops watching. */
export async function unsubscribe(server: string, uri: string): Promise<void> {
  try {
    await openChannel().ask('resources/unsubscribe', { server, uri })
    useSubscriptions.setState({ [subscriptionKey(server, uri)]: undefined })
    announce(`No longer subscribed to ${uri}`)
  } catch (error) {
    showProblem(error, 'Still subscribed')
  }
}

/** Counts what the server says. Called once, by the page's start. */
export function followSubscriptions(): void {
  openChannel().on('resources/updated', ({ server, uri }) => {
    const key = subscriptionKey(server, uri)
    useSubscriptions.setState((all) => {
      const current = all[key] ?? { since: Date.now(), updates: 0 }
      return { [key]: { ...current, updates: current.updates + 1, lastAt: Date.now() } }
    })
  })
}
