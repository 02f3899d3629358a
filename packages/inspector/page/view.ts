/** What this page shows now: which server, which tab, what is picked there. The address mirrors it. */

import {
  keepFlag,
  keepFocus,
  readFlag,
  readText,
  returnFocus,
  useShellState,
} from '@parley/page/shell'
import { create } from 'zustand'

import { tabs, type TabId } from './tabs.ts'

/** A dialog that is open, with the server it is about. */
export type DialogState =
  | { readonly kind: 'add-server' }
  | { readonly kind: 'start-all' }
  | { readonly kind: 'confirm'; readonly server: string }
  | { readonly kind: 'settings'; readonly server: string }
  | { readonly kind: 'edit'; readonly server: string }
  | { readonly kind: 'remove'; readonly server: string }
  | { readonly kind: 'diagnosis'; readonly server: string }

/** What the page shows. */
export interface View {
  readonly server: string | undefined
  readonly tab: TabId
  /** What is picked in each list, by server and tab. */
  readonly picked: { readonly [key: string]: string | undefined }
  readonly isTraceOpen: boolean
  /** The trace takes the place of the workspace. */
  readonly isTraceFull: boolean
  readonly dialog: DialogState | undefined
}

/** The view; change it with the functions below. */
export const useView = create<View>(() => ({
  ...readAddress(),
  isTraceOpen: readFlag('trace', false),
  isTraceFull: false,
  dialog: undefined,
}))

/** Shows a server, by default on the tab that is open. */
export function showServer(server: string, tab: TabId = useView.getState().tab): void {
  leaveOthers()
  const isOther = tab !== useView.getState().tab
  useView.setState({ server, tab, ...(isOther && { isTraceFull: false }) })
}

/** Shows a tab of the server that is open. */
export function showTab(tab: TabId): void {
  leaveOthers()
  useView.setState({ tab, isTraceFull: false })
}

/** Shows the program where settings or the rail of a narrow window were. */
function leaveOthers(): void {
  useShellState.setState({ over: undefined, isSettings: false })
}

/** Picks an item of a list, and shows it. */
export function pick(server: string, tab: TabId, item: string | undefined): void {
  leaveOthers()
  useView.setState(({ picked }) => ({
    server,
    tab,
    isTraceFull: false,
    picked: { ...picked, [locationOf(server, tab)]: item },
  }))
}

/** What is picked on a tab of a server. */
export function usePicked(server: string, tab: TabId): string | undefined {
  return useView((view) => view.picked[locationOf(server, tab)])
}

/** Whether this item of this tab is what the page shows now. */
export function isPicked(server: string, tab: TabId, item: string): boolean {
  const view = useView.getState()
  const isTab = view.server === server && view.tab === tab
  return isTab && view.picked[locationOf(server, tab)] === item
}

/** Opens a dialog; where the focus was, it returns to. */
export function openDialog(dialog: DialogState): void {
  if (useView.getState().dialog === undefined) keepFocus()
  useView.setState({ dialog })
}

/** Closes the dialog that is open. */
export function closeDialog(): void {
  if (useView.getState().dialog === undefined) return
  useView.setState({ dialog: undefined })
  returnFocus()
}

/** Shows the trace or not, now and after a reload. */
export function setTraceOpen(isTraceOpen: boolean): void {
  useView.setState({ isTraceOpen })
  keepFlag('trace', isTraceOpen)
}

/** Shows the trace after the first run; from then on it is as the user left it. */
export function showTraceOfRun(): void {
  const hasCapacity = window.innerWidth >= 900 && window.innerHeight >= 640
  if (hasCapacity && readText('trace') === undefined) setTraceOpen(true)
}

/** Shows or hides the trace. */
export function toggleTrace(): void {
  useView.setState({ isTraceFull: false })
  setTraceOpen(!useView.getState().isTraceOpen)
}

/** Shows the trace on the full page, or beside the workspace again. */
export function toggleFullTrace(): void {
  const isFull = !useView.getState().isTraceFull
  if (isFull) setTraceOpen(true)
  useView.setState({ isTraceFull: isFull })
}

/** Keeps the address in step, so that a reload shows the same; it selects and never does more. */
export function mirrorAddress(): void {
  useView.subscribe(({ server, tab, picked }) => {
    const parts = server === undefined ? [] : [server, tab, picked[locationOf(server, tab)]]
    const path = parts.filter((part) => part !== undefined).map((part) => encodeURIComponent(part))
    const hash = path.length === 0 ? '' : `#/${path.join('/')}`
    if (location.hash !== hash) history.replaceState(null, '', `${location.pathname}${hash}`)
  })
  window.addEventListener('hashchange', () => {
    if (location.hash.startsWith('#/')) useView.setState(readAddress())
  })
}

function readAddress(): Pick<View, 'server' | 'tab' | 'picked'> {
  const [server, name, item] = location.hash.startsWith('#/')
    ? location.hash.slice(2).split('/').map(decode)
    : []
  const tab = tabs.find(({ id }) => id === name)?.id ?? 'tools'
  const picked =
    server === undefined || item === undefined ? {} : { [locationOf(server, tab)]: item }
  return { server: server === '' ? undefined : server, tab, picked }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // an address that somebody typed
  }
}

function locationOf(server: string, tab: TabId): string {
  return `${server}\n${tab}`
}
