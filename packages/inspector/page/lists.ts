/** The lists of each server, fetched when first shown and again when the server says that they changed. */

import { isJsonObject } from '@parley/mcp/json'
import { listOf, recordOf, textOf } from '@parley/page/json'
import { problemOf } from '@parley/page/parts'
import { readFlag } from '@parley/page/shell'
import { useEffect } from 'react'
import { create } from 'zustand'

import type { Problem, ServerView } from '../src/protocol/index.ts'
import { openChannel } from './channel.ts'
import { useStore } from './store.ts'

/** Which list. */
export type ListKind = 'tools' | 'resources' | 'templates' | 'prompts'

/** One entry of a list, as the server sent it. */
export type ListItem = { readonly [name: string]: unknown }

/** How far a list is. */
export interface ListState {
  readonly status: 'absent' | 'loading' | 'ready' | 'failed'
  readonly items: readonly ListItem[]
  readonly pages: number
  readonly problem?: Problem | undefined
  /** Of a list that is fetched page by page: where it goes on. */
  readonly nextCursor?: string | undefined
  /** The server said that it changed, and it was not fetched again. */
  readonly isStale?: boolean | undefined
}

const methods: {
  readonly [K in ListKind]: { readonly method: string; readonly member: string }
} = {
  tools: { method: 'tools/list', member: 'tools' },
  resources: { method: 'resources/list', member: 'resources' },
  templates: { method: 'resources/templates/list', member: 'resourceTemplates' },
  prompts: { method: 'prompts/list', member: 'prompts' },
}

const absent: ListState = { status: 'absent', items: [], pages: 0 }
const useLists = create<{ readonly [key: string]: ListState }>(() => ({}))

/** A list of a server; fetches it when the server is connected and offers it. */
export function useList(server: ServerView | undefined, kind: ListKind): ListState {
  const name = server?.name ?? ''
  const state = useLists((lists) => lists[keyOf(name, kind)]) ?? absent
  const isOffered = server !== undefined && isKnown(server) && offers(server, kind)
  const canLoad = isOffered && isConnected(server)
  useEffect(() => {
    // Looked up again: another part of the page may have asked in the same moment.
    const list = useLists.getState()[keyOf(name, kind)] ?? absent
    if (canLoad && list.status === 'absent') void loadList(name, kind)
  }, [canLoad, state.status, name, kind])
  return isOffered ? state : absent
}

/** What is known of all lists, for the palette; fetches nothing. */
export function useLoadedLists(): { readonly [key: string]: ListState } {
  return useLists()
}

/** How lists are fetched; chosen by the user, for all servers, until changed. */
export const useListHabits = create(() => ({
  isByHand: false,
  isFollowing: readFlag('follow-lists', true),
}))

/** All pages at once, or one at a time. */
export function setByHand(server: string, kind: ListKind, isByHand: boolean): void {
  useListHabits.setState({ isByHand })
  void loadList(server, kind)
}

/** Whether a list is fetched again as soon as the server says that it changed. */
export function setFollowing(isFollowing: boolean): void {
  useListHabits.setState({ isFollowing })
  try {
    localStorage.setItem('parley-follow-lists', String(isFollowing))
  } catch {
    // Without storage it holds until the page is closed.
  }
}

/** The next page of a list, after those that are there; the first one without a cursor. */
export async function loadPage(server: string, kind: ListKind, cursor?: string): Promise<void> {
  const key = keyOf(server, kind)
  const before = cursor === undefined ? absent : (useLists.getState()[key] ?? absent)
  useLists.setState({ [key]: { ...before, status: 'loading' } })
  const { method, member } = methods[kind]
  const params = cursor === undefined ? {} : { cursor }
  const { result, error } = await openChannel()
    .ask('runs/start', { server, run: crypto.randomUUID(), method, params })
    .catch((cause: unknown) => ({ result: undefined, error: problemOf(cause) }))
  if (result === undefined) {
    const problem = {
      code: error?.code ?? 'page',
      message: error?.message ?? 'There was no answer.',
    }
    useLists.setState({ [key]: { ...before, status: 'failed', problem } })
    return
  }
  useLists.setState({
    [key]: {
      status: 'ready',
      items: [...before.items, ...listOf(result[member]).filter(isJsonObject)],
      pages: before.pages + 1,
      nextCursor: textOf(result['nextCursor']),
    },
  })
}

/** Fetches a list again, keeping what is shown until the new one is there. */
export async function loadList(server: string, kind: ListKind): Promise<void> {
  if (useListHabits.getState().isByHand) return loadPage(server, kind)
  const key = keyOf(server, kind)
  const before = useLists.getState()[key] ?? absent
  useLists.setState({ [key]: { ...before, status: 'loading' } })
  try {
    const { items, pages, problem } = await openChannel().ask('lists/all', { server, kind })
    useLists.setState({ [key]: { status: 'ready', items, pages, problem } })
  } catch (error) {
    useLists.setState({ [key]: { ...before, status: 'failed', problem: problemOf(error) } })
  }
}

/** Fetches again what changed, and forgets the lists of a server that is gone. Called once, by the page's start. */
export function followLists(): void {
  openChannel().on('lists/changed', ({ server, kind }) => {
    const kinds: readonly ListKind[] = kind === 'resources' ? ['resources', 'templates'] : [kind]
    for (const item of kinds) {
      const list = useLists.getState()[keyOf(server, item)]
      if (list === undefined) continue
      if (useListHabits.getState().isFollowing) void loadList(server, item)
      else useLists.setState({ [keyOf(server, item)]: { ...list, isStale: true } })
    }
  })
  let connected = new Set<string>()
  useStore.subscribe(({ servers }) => {
    const before = connected
    connected = new Set(servers.filter(isConnected).map(({ name }) => name))
    // What was kept of a server that had ended may have changed with its restart.
    for (const key of Object.keys(useLists.getState())) {
      const { server, kind } = readKey(key)
      const isBack = connected.has(server) && !before.has(server)
      if (isBack && useLists.getState()[key]?.status === 'ready') void loadList(server, kind)
    }
    const removed = Object.entries(useLists.getState()).filter(([key, list]) => {
      const server = servers.find(({ name }) => key.startsWith(`${name}\n`))
      return list.status !== 'absent' && (server === undefined || !isKnown(server))
    })
    if (removed.length > 0) {
      useLists.setState(Object.fromEntries(removed.map(([key]) => [key, absent])))
    }
  })
}

/** Whether calls can be made. */
export function isConnected({ state }: ServerView): boolean {
  return state === 'ready' || state === 'degraded' || state === 'reconnecting'
}

/** Whether there is something to show: also of one that has ended by itself. */
export function isKnown(server: ServerView): boolean {
  const { state, session } = server
  return isConnected(server) || (session !== undefined && state !== 'unauthorized')
}

/** Whether the server declared that it has such a list. */
export function offers({ session }: ServerView, kind: ListKind): boolean {
  const capability = kind === 'templates' ? 'resources' : kind
  return session?.server.capabilities[capability] !== undefined
}

/** Whether the server declared the extension for skills. */
export function hasSkills({ session }: ServerView): boolean {
  const extensions = recordOf(session?.server.capabilities['extensions'])
  return extensions['io.modelcontextprotocol/skills'] !== undefined
}

/** The server's name and the kind, from a key of `useLoadedLists`. */
export function readKey(key: string): { readonly server: string; readonly kind: ListKind } {
  const [server = '', kind = ''] = key.split('\n')
  return { server, kind: kind as ListKind } // as `keyOf` writes it
}

function keyOf(server: string, kind: ListKind): string {
  return `${server}\n${kind}`
}
