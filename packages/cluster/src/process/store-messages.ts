import type { ClusterStore } from '../store/cluster-store.ts'

/** A channel between a parent process and one of its children. */
export interface StoreChannel {
  /** Throws when the other process is gone. */
  send(message: StoreMessage): void
  /** Calls back for each message of ours, and once when the channel has closed. */
  listen(hear: (message: StoreMessage) => void, onClosed: () => void): void
}

/** The parts of a store whose methods are called in the parent. */
export type StorePart = keyof typeof storeMethods

/** What a child may call. Nothing else is called by its name. */
export const storeMethods = {
  records: ['get', 'put', 'remove', 'list'],
  feeds: ['append', 'readSince'],
  once: ['add'],
  leases: ['renew', 'isAlive', 'release', 'alive'],
  streams: ['append', 'read', 'takeOver', 'lastRead', 'dropSession'],
  budgets: ['take'],
} as const satisfies { [Part in keyof ClusterStore]?: readonly (keyof ClusterStore[Part])[] }

/** Between parent and child. All have a field of their own, so that a channel can carry other messages too. */
export type StoreMessage =
  | {
      readonly store: 'call'
      readonly id: number
      readonly part: string
      readonly method: string
      readonly args: readonly unknown[]
    }
  | { readonly store: 'answer'; readonly id: number; readonly value?: unknown }
  | { readonly store: 'failure'; readonly id: number; readonly why: string }
  | { readonly store: 'publish'; readonly topic: string; readonly text: string }
  | { readonly store: 'subscribe' | 'unsubscribe'; readonly topic: string }

/** Whether something on the channel is one of ours. */
export function isStoreMessage(value: unknown): value is StoreMessage {
  return typeof value === 'object' && value !== null && 'store' in value
}
