import type { Worker } from 'node:cluster'
import process from 'node:process'

import { isStoreMessage, type StoreChannel } from './store-messages.ts'

/** From the parent to one of its children. */
export function channelToChild(worker: Worker): StoreChannel {
  return {
    send(message) {
      if (!worker.isConnected()) throw new Error(`process ${worker.process.pid} is gone`)
      worker.send(message)
    },
    listen(hear, onClosed) {
      worker.on('message', (message: unknown) => {
        if (isStoreMessage(message)) hear(message)
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
    listen(hear, onClosed) {
      process.on('message', (message: unknown) => {
        if (isStoreMessage(message)) hear(message)
      })
      process.once('disconnect', onClosed)
    },
  }
}
