/**
 * Requests of a server to a client, such as an elicitation, behind a proxy: finds the client that is meant, passes the request on,
 * and answers the server. Where more than one client could be meant, the server is told so, and nobody is asked.
 *
 * The client is known from the task that a request names, or because all calls in flight are for one client. `upstream.ts` is the
 * one user.
 */

import type { ClientSession } from '../../client/connection/session.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError, wireCodes } from '../../rpc/errors/rpc-error.ts'
import type { Request, RequestId, WireError } from '../../rpc/message.ts'
import type { ClientCapabilities } from '../../schema/capabilities.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Progress } from '../../schema/progress.ts'
import { metaKeys } from '../../wire/request-meta.ts'

/** A request of the server to a client. */
export interface InputRequestForm {
  readonly method: string
  readonly params: JsonObject
  readonly signal: AbortSignal
  /** Set if the server wants progress notifications. */
  readonly onProgress: ((progress: Progress) => void) | undefined
}

/** Somebody who can be asked. */
export interface Prompter {
  readonly capabilities: ClientCapabilities
  ask(inputRequest: InputRequestForm): Promise<JsonObject>
}

/** Passes requests of the server on to the client it works for. */
export interface Questions<Call> {
  ask(request: Request, from: Pick<ClientSession, 'connection'>): void
  /** The server takes one back. */
  cancel(params: JsonObject): void
  abortAll(reason: unknown): void
  /** The calls in flight, newest first, if all of them are for one client; else none. */
  soleOwner(): readonly Call[]
}

/** A call in flight, and whom it is for. */
interface OwnedCall extends Prompter {
  readonly owner: object
}

export function createInputRequests<Call extends OwnedCall>({
  calls,
  attachedClients,
  tasks,
}: {
  readonly calls: Iterable<Call> & { readonly size: number }
  readonly attachedClients: ReadonlySet<Prompter>
  readonly tasks: ReadonlyMap<string, { readonly forwarded: Prompter }>
}): Questions<Call> {
  const open = new Map<RequestId, AbortController>()

  function soleOwner(): readonly Call[] {
    const all = [...calls].toReversed()
    const [first] = all
    return first && all.every(({ owner }) => owner === first.owner) ? all : []
  }

  /** Undefined if more than one client could be meant, or none is there. */
  function whoToAsk(): Prompter | undefined {
    const [call] = soleOwner()
    const [only] = attachedClients
    return call ?? (calls.size === 0 && attachedClients.size === 1 ? only : undefined)
  }

  return {
    soleOwner,

    ask(request, { connection }) {
      const { id, method, params } = request
      const prompter = relatedTask(tasks, params)?.forwarded ?? whoToAsk()
      const rejection = prompter ? lacks(prompter.capabilities, method) : noRequestTarget(method)
      if (prompter === undefined || rejection !== undefined) {
        return connection.reject(id, rejection ?? noRequestTarget(method))
      }
      const controller = new AbortController()
      open.set(id, controller)
      connection.pause() // a person may be asked
      const inputRequest = { method, params, signal: controller.signal, onProgress: toServer() }
      void prompter
        .ask(inputRequest)
        .then(
          (result) => {
            if (!controller.signal.aborted) connection.reply(id, { jsonrpc: '2.0', id, result })
          },
          (error: unknown) => {
            if (!controller.signal.aborted) connection.reject(id, wireErrorOf(error))
          },
        )
        .finally(() => {
          open.delete(id)
          connection.resume()
        })

      function toServer(): InputRequestForm['onProgress'] {
        const meta = params['_meta']
        const progressToken = isJsonObject(meta) ? meta['progressToken'] : undefined
        if (progressToken === undefined) return undefined
        return (progress) =>
          connection.notify('notifications/progress', { ...progress, progressToken })
      }
    },

    cancel({ requestId, reason }) {
      const controller = open.get(requestId as RequestId) // anything else is not there
      controller?.abort(abandoned(typeof reason === 'string' ? reason : 'the server gave it up'))
    },

    abortAll(reason) {
      const why = reason instanceof Error ? reason.message : 'the server has ended'
      for (const controller of open.values()) controller.abort(abandoned(why))
      open.clear()
    },
  }
}

/** The task that a message of 2025-11-25 says it belongs to, if it is one of these. */
export function relatedTask<Task>(
  tasks: ReadonlyMap<string, Task>,
  { _meta }: JsonObject,
): Task | undefined {
  if (tasks.size === 0) return undefined
  const related = isJsonObject(_meta) ? _meta[metaKeys.task] : undefined
  const taskId = isJsonObject(related) ? related['taskId'] : undefined
  return typeof taskId === 'string' ? tasks.get(taskId) : undefined
}

function abandoned(why: string): McpError {
  return new McpError('cancelled', why, { details: { by: 'caller' } })
}

/** Returns the client's error unchanged, and an error of this process by its message. */
function wireErrorOf(error: unknown): WireError {
  if (isRpcError(error)) {
    const { wireCode: code, message, data } = error
    return data === undefined ? { code, message } : { code, message, data }
  }
  const message = error instanceof Error ? error.message : 'the client could not be asked'
  return { code: wireCodes.internal_error, message }
}

const needs: { readonly [method: string]: keyof ClientCapabilities | undefined } = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
}

function lacks(offered: ClientCapabilities, method: string): WireError | undefined {
  const needed = needs[method]
  if (needed === undefined || offered[needed] !== undefined) return undefined
  const message = `the client does not offer ${needed}`
  return { code: wireCodes.method_not_found, message, data: { method } }
}

function noRequestTarget(method: string): WireError {
  const message = `${method}: the client is ambiguous; use a connection for each session`
  return { code: wireCodes.internal_error, message }
}
