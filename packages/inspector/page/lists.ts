/** The lists of each server, fetched when first shown and again when the server says that they changed. */

import { useEffect } from 'react'
import { create } from 'zustand'

import type { Problem, ServerView } from '../src/protocol/index.ts'
import { openChannel } from './channel.ts'
import { problemOf } from './parts/problem.tsx'
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
}

const absent: ListState = { status: 'absent', items: [], pages: 0 }
const useLists = create<{ readonly [key: string]: ListState }>(() => ({}))

/** A list of a server; fetches it when the server is connected and offers it. */
export function useList(server: ServerView | undefined, kind: ListKind): ListState {
  const name = server?.name ?? ''
  const state = useLists((lists) => lists[keyOf(name, kind)]) ?? absent
  const isOffered = server !== undefined && isConnected(server) && offers(server, kind)
  useEffect(() => {
    // Looked up again: another part of the page may have asked in the same moment.
    const known = useLists.getState()[keyOf(name, kind)] ?? absent
    if (isOffered && known.status === 'absent') void loadList(name, kind)
  }, [isOffered, state.status, name, kind])
  return isOffered ? state : absent
}

/** What is known of all lists, for the palette; fetches nothing. */
export function useKnownLists(): { readonly [key: string]: ListState } {
  return useLists()
}

/** Fetches a list again, keeping what is shown until the new one is there. */
export async function loadList(server: string, kind: ListKind): Promise<void> {
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
    for (const one of kinds) {
      if (useLists.getState()[keyOf(server, one)]) void loadList(server, one)
    }
  })
  useStore.subscribe(({ servers }) => {
    const gone = Object.entries(useLists.getState()).filter(([key, list]) => {
      const server = servers.find(({ name }) => key.startsWith(`${name}\n`))
      return list.status !== 'absent' && (server === undefined || !isConnected(server))
    })
    if (gone.length > 0) {
      useLists.setState(Object.fromEntries(gone.map(([key]) => [key, absent])))
    }
  })
}

/** Whether calls can be made. */
export function isConnected({ state }: ServerView): boolean {
  return state === 'ready' || state === 'degraded' || state === 'reconnecting'
}

/** Whether the server declared that it has such a list. */
export function offers({ session }: ServerView, kind: ListKind): boolean {
  const capability = kind === 'templates' ? 'resources' : kind
  return session?.server.capabilities[capability] !== undefined
}

/** The server's name and the kind, from a key of `useKnownLists`. */
export function readKey(key: string): { readonly server: string; readonly kind: string } {
  const [server = '', kind = ''] = key.split('\n')
  return { server, kind }
}

function keyOf(server: string, kind: ListKind): string {
  return `${server}\n${kind}`
}
