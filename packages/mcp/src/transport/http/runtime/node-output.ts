import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { CallerAccount } from '../admission/request-caller.ts'
import { roomBytes, type StreamOutput } from './exchange.ts'
import { uncountedLength, WaitingOutput, type OutputRules } from './waiting-output.ts'

/** Until all is taken, or the connection is gone. Undefined where nobody said whom to charge. */
export function watchNodeOutput(
  response: ServerResponse,
  rules: OutputRules | undefined,
  caller: CallerAccount,
): WaitingOutput | undefined {
  if (rules === undefined || response.destroyed) return undefined
  const { socket } = response
  const waiting = new WaitingOutput(rules, caller, {
    unread: () => response.writableLength,
    // What is taken of one large write shows in the system's queue alone.
    progress: () => (socket?.bytesWritten ?? 0) - response.writableLength - queuedBySystem(socket),
    cut: () => void response.destroy(),
  })
  response.on('drain', () => waiting.update())
  response.on('close', () => waiting.close())
  return waiting
}

/** Of a write that has begun; 0 where Node does not tell. */
function queuedBySystem(socket: Socket | null): number {
  const { _handle: handle } = (socket ?? {}) as { _handle?: { writeQueueSize?: number } | null } // Node's own `net` reads it too
  return handle?.writeQueueSize ?? 0
}

/** The body of a streamed answer. */
export function createNodeOutput(
  response: ServerResponse,
  startWatch: () => WaitingOutput | undefined,
): StreamOutput {
  let room: Promise<void> | undefined
  let waiting: WaitingOutput | undefined

  return {
    write(text) {
      if (response.destroyed) return
      const isLong = text.length >= uncountedLength
      if (isLong) waiting ??= startWatch()
      if (isLong && waiting?.begin(text.length)) return void response.destroy()
      const isTaken = response.write(text)
      if (response.writableLength >= uncountedLength) waiting ??= startWatch()
      waiting?.update()
      if (isTaken) return
      if (room !== undefined || response.writableLength < roomBytes) return
      room = new Promise<void>((resolve) => {
        function release(): void {
          room = undefined
          response.off('drain', release)
          response.off('close', release)
          resolve()
        }
        response.once('drain', release)
        response.once('close', release)
      })
    },
    get bufferedBytes() {
      return response.writableLength
    },
    get room() {
      return room
    },
    end: () => void response.end(),
    destroy: () => void response.destroy(),
  }
}
