/** The state of the service, kept current by its events. */

import type { ChannelStatus } from '@parley/page/channel'
import { create } from 'zustand'

import type { Overview, PageState } from '../src/page-service/protocol.ts'
import { openChannel } from './channel.ts'

/** The gateway as this page knows it. */
export interface Store {
  readonly status: ChannelStatus
  /** Undefined until the first answer. */
  readonly state: Omit<PageState, 'overview'> | undefined
  readonly overview: Overview | undefined
}

/** `useStore((store) => store.overview)` in a component, `useStore.getState()` elsewhere. */
export const useStore = create<Store>(() => ({
  status: 'connecting',
  state: undefined,
  overview: undefined,
}))

/** Asks for the whole state after each connect, and follows the events. Called once, by the page's start. */
export function followService(): void {
  const channel = openChannel()
  const set = useStore.setState
  const load = async () => {
    const { overview, ...state } = await channel.ask('state/get', {})
    set({ state, overview })
  }
  channel.onStatus((status) => {
    set({ status })
    if (status === 'open') load().catch(ignoreLoss)
  })
  if (channel.status === 'open') load().catch(ignoreLoss)
  channel.on('overview', (overview) => set({ overview }))
}

/** The page shows by its status that the service is gone; the state is asked for again when it is back. */
function ignoreLoss() {}
