import type { Worker } from 'node:cluster'
import process from 'node:process'

import type { Health } from '@parley/mcp/http'
import type { Service } from '@parley/mcp/server'

import type { ClusterStore } from '../store/cluster-store.ts'

/** A channel between a parent process and one of its children. */
export interface StoreChannel {
  /** Throws when the other process is gone. */
  send(message: StoreMessage): void
  /** Calls back for each message of ours, and once when the channel has closed. */
  listen(onText: (message: StoreMessage) => void, onClosed: () => void): void
}

/** The parts of a store whose methods are called in the parent. */
export type StorePart = keyof typeof storeMethods

/** The methods that a child may call. */
export const storeMethods = {
  records: ['get', 'put', 'remove', 'list'],
  feeds: ['append', 'readSince'],
  once: ['add'],
  leases: ['renew', 'isAlive', 'release', 'alive', 'count'],
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
      /** The result of a call. */
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
function isStoreMessage(value: unknown): value is StoreMessage {
  return typeof value === 'object' && value !== null && 'store' in value
}

/** From the parent to one of its children. */
export function channelToChild(worker: Worker): StoreChannel {
  return {
    send(message) {
      if (!worker.isConnected()) throw new Error(`process ${worker.process.pid} is gone`)
      worker.send(message)
    },
    listen(onText, onClosed) {
      worker.on('message', (message: unknown) => {
        if (isStoreMessage(message)) onText(message)
      })
      worker.once('disconnect', onClosed)
      worker.on('error', () => undefined) // a message to a child that is ending
    },
  }
}

/** From a child to its parent. */
export function channelToParent(): StoreChannel {
  return {
    send(message) {
      if (!process.connected || process.send === undefined) {
        throw new Error('this process has no parent that it could reach')
      }
      process.send(message, undefined, undefined, () => undefined) // a failure shows as no answer
    },
    listen(onText, onClosed) {
      process.on('message', (message: unknown) => {
        if (isStoreMessage(message)) onText(message)
      })
      process.once('disconnect', onClosed)
    },
  }
}

/** The outcomes of the calls of a process that was drained. */
export type DrainReport = Awaited<ReturnType<Service['drain']>>

/** A message of a child to its parent. */
export type ChildMessage =
  /** Its work has begun. */
  | { readonly processes: 'serving'; readonly url?: string }
  | { readonly processes: 'health'; readonly health: Health }
  /** It is about to end. */
  | { readonly processes: 'drained'; readonly report: DrainReport }

/** A message of a parent to its children. */
export interface ParentMessage {
  readonly processes: 'drain'
  /** Without one, as long as the child usually takes. */
  readonly deadlineMs?: number
}

/** Whether something on the channel is one of these: it also carries calls of the store. */
export function isProcessMessage(value: unknown): value is ChildMessage | ParentMessage {
  return typeof value === 'object' && value !== null && 'processes' in value
}
