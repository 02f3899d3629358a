import type { AuthInfo } from '../../../rpc/auth-info.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { ServerCapabilities } from '../../../schema/capabilities.ts'
import type { SubscriptionFilter } from '../../../schema/subscriptions.ts'
import type { CallToolResult } from '../../../schema/tools.ts'
import type { Call } from '../../../server/calls/call.ts'
import { methodNotFound, type Outcome } from '../../../server/calls/dispatch.ts'
import { CallContext } from '../../../server/context.ts'
import type { ExtensionSubscription, Notify } from '../../../server/extensions.ts'
import { RoundEnd } from '../../../server/input/input-required.ts'
import { serverTasks, type ServerTasksOptions } from '../../../server/tasks/server-tasks.ts'
import { TaskStart } from '../../../server/tasks/task-view.ts'
import type { TaskSupport } from '../seen-tools.ts'

/**
 * Tasks of clients whose revision has another kind of tasks than the server's: kept here, under ids of our own. The work
 * of each is a call that the server runs as a task of its own kind, or inline.
 */
export interface HostedTasks {
  /** Returns the task capabilities for a client of 2025-11-25. */
  capabilities(auth: AuthInfo | undefined): ServerCapabilities
  /** Answers with a task, or with the result if it is there soon. `work` lives on after the request. */
  call(
    call: Call,
    support: Exclude<TaskSupport, 'never'>,
    run: (work: Call) => Promise<CallToolResult>,
  ): Promise<Outcome>
  /** Answers `tasks/…`. */
  request(call: Call): Promise<Outcome>
  /** Its part of a `subscriptions/listen`. */
  listen(
    filter: SubscriptionFilter,
    call: Call,
    notify: Notify,
  ): Promise<ExtensionSubscription | undefined>
}

/** How tasks are kept that a proxy keeps for its clients. */
export type HostedTasksOptions = Pick<
  ServerTasksOptions,
  'inlineMs' | 'maxBytes' | 'maxPerPrincipal' | 'pollIntervalMs' | 'ttlMs'
>

export function createHostedTasks(options: HostedTasksOptions = {}): HostedTasks {
  const { methods = {}, '~server': hooks } = serverTasks(options)

  return {
    capabilities: (auth) => hooks?.capabilities?.({ isLocal: false, ...(auth && { auth }) }) ?? {},

    async call(call, support, run) {
      const { name } = call.params
      const tool = { name: typeof name === 'string' ? name : '', config: { task: support } }
      const outcome = await hooks?.callTool?.(
        tool,
        new CallContext(call, undefined),
        ({ call: work }) => {
          if (work.background === undefined) throw tooMany()
          return run(work)
        },
      )
      if (outcome === undefined || outcome instanceof RoundEnd) {
        throw new TypeError('a task asks, and ends no round')
      }
      return encoded(call, outcome instanceof TaskStart ? outcome.result : outcome)
    },

    async request(call) {
      const { method: operation, params } = call
      const method = Object.hasOwn(methods, operation) ? methods[operation] : undefined
      if (method === undefined) throw methodNotFound(operation)
      return encoded(call, await method(params, new CallContext(call, undefined))) // what our own methods take
    },

    listen: async (filter, call, notify) => hooks?.listen?.(filter, call, notify),
  }
}

function encoded({ caller, method }: Call, result: object): Outcome {
  return { kind: 'raw', result: caller.codec.encodeResult(method, result) }
}

/** Only a call that may be a task is sent here; there is no room for another. */
function tooMany(): RpcError {
  return new RpcError('overloaded', 'too many tasks of this caller: wait until some have ended')
}
