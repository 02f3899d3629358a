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
      /** A child calls a method of the parent's store. */
      readonly store: 'call'
      /** Names the call; its answer has the same id. */
      readonly id: number
      /** The part of the store, such as `records`. */
      readonly part: string
      /** The method of that part. */
      readonly method: string
      /** The arguments of the method. */
      readonly args: readonly unknown[]
    }
  | {
      /** What a call returned. */
      readonly store: 'answer'
      /** The id of the call. */
      readonly id: number
      /** The returned value. */
      readonly value?: unknown
    }
  | {
      /** A call failed. */
      readonly store: 'failure'
      /** The id of the call. */
      readonly id: number
      /** The message of the error. */
      readonly why: string
    }
  | {
      /** A message for everyone who subscribed to a topic. */
      readonly store: 'publish'
      /** The topic. */
      readonly topic: string
      /** The message. */
      readonly text: string
    }
  | {
      /** A child begins or ends to follow a topic. */
      readonly store: 'subscribe' | 'unsubscribe'
      /** The topic. */
      readonly topic: string
    }

/** Whether something on the channel is one of ours. */
export function isStoreMessage(value: unknown): value is StoreMessage {
  return typeof value === 'object' && value !== null && 'store' in value
}
