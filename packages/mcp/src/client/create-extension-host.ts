import type { Notification } from '../rpc/message.ts'
import { jsonObject } from '../schema/check.ts'
import type { Calls } from './calls/calls.ts'
import type { ExtensionHost } from './extension.ts'
import { inputPart } from './lazy-parts.ts'
import type { ToolDefinitions } from './tools/tools.ts'

/** The parts of a client that its extension host needs. */
interface ExtensionHostContext extends Pick<
  ExtensionHost,
  'clock' | 'closed' | 'onError' | 'session' | 'checkOutput'
> {
  readonly calls: Calls
  readonly toolDefinitions: ToolDefinitions
}

/** An extension host, and `tell`, which passes a notification to it. */
export function createExtensionHost(
  parts: ExtensionHostContext,
): ExtensionHost & { notify(notification: Notification): void } {
  const { clock, closed, onError, session, calls, toolDefinitions, checkOutput } = parts
  const listeners = new Set<(notification: Notification) => void>()

  return {
    clock,
    closed,
    onError,
    session,
    request: (method, params, own = {}) => calls.send(method, params, own, jsonObject, true),
    async ask(requests, about, signal) {
      const { respondForExtension } = await inputPart.load()
      return respondForExtension(await session(), requests, about, signal)
    },
    onNotification(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    notify(notification) {
      for (const onMessage of listeners) onMessage(notification)
    },
    findTool: toolDefinitions.find,
    checkOutput,
  }
}
