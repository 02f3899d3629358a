/** The views of the page, and their addresses. */

import type { IconName } from '@parley/page/icons'
import { useShellState } from '@parley/page/shell'
import { create } from 'zustand'

/** In the order of the navigation; `letter` follows `g`. */
export const views = [
  { id: 'overview', label: 'Overview', letter: 'o', icon: 'gauge' },
  { id: 'servers', label: 'Servers', letter: 's', icon: 'server' },
  { id: 'sessions', label: 'Sessions', letter: 'e', icon: 'plug' },
  { id: 'traffic', label: 'Traffic', letter: 't', icon: 'wave' },
  { id: 'policy', label: 'Policy', letter: 'p', icon: 'shield' },
  { id: 'quarantine', label: 'Quarantine', letter: 'q', icon: 'lock' },
  { id: 'audit', label: 'Audit', letter: 'a', icon: 'list' },
  { id: 'keys', label: 'API keys', letter: 'k', icon: 'key' },
  { id: 'config', label: 'Configuration', letter: 'c', icon: 'gear' },
] as const satisfies readonly { id: string; label: string; letter: string; icon: IconName }[]

/** A view's name in the address. */
export type ViewId = (typeof views)[number]['id']

/** Where the page is. */
export interface View {
  readonly view: ViewId
  /** The server that is looked at. */
  readonly server: string | undefined
}

export const useView = create<View>(() => readAddress(location.hash))

/** Opens a view, from its beginning. */
export function showView(view: ViewId): void {
  useShellState.setState({ isSettings: false })
  useView.setState({ view, server: undefined })
}

/** Shows one server, with what it offers. */
export function showServer(server: string | undefined): void {
  useShellState.setState({ isSettings: false })
  useView.setState({ view: 'servers', server })
}

/** Keeps the address in step with what is shown, so that it can be kept and sent. */
export function mirrorAddress(): void {
  useView.subscribe(({ view, server }) => {
    const hash = addressOf(view, server)
    if (location.hash !== hash && !location.hash.startsWith('#secret=')) {
      history.replaceState(null, '', hash)
    }
  })
  addEventListener('hashchange', () => {
    if (!location.hash.startsWith('#secret=')) useView.setState(readAddress(location.hash))
  })
}

function addressOf(view: ViewId, server: string | undefined): string {
  return view === 'servers' && server !== undefined
    ? `#/servers/${encodeURIComponent(server)}`
    : `#/${view}`
}

function readAddress(hash: string): View {
  const [, id = '', server] = /^#\/(\w+)(?:\/(.+))?$/.exec(hash) ?? []
  const found = views.find((view) => view.id === id)
  return {
    view: found?.id ?? 'overview',
    server: server === undefined ? undefined : safeDecode(server),
  }
}

function safeDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
