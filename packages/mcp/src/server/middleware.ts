/**
 * Middleware: code of the author around operations, and how it is called.
 *
 * Runs the middleware of a definition from the outermost to the innermost, then the operation. A mounted server's middleware runs
 * inside that of the server it is mounted on. Which methods are operations is said in `schema/methods/client-requests.ts`.
 */
import { readParams } from '../rpc/errors/invalid-params.ts'
import { isPromise, type MaybePromise } from '../rpc/promise.ts'
import type { Check } from '../schema/check.ts'
import type {
  ParamsOf,
  Operation,
  Operations,
  OperationThat,
} from '../schema/methods/client-requests.ts'
import { requestParams } from '../schema/methods/request-params.ts'
import type { Call } from './calls/call.ts'
import { thrownErrors } from './calls/report-fault.ts'
import { CallContext, type RequestContext } from './context.ts'
import type { Definition } from './definition.ts'
import { RoundEnd } from './input/input-required.ts'
import { TaskStart } from './tasks/task-view.ts'
import { coercedArguments, type CoercedArgument } from './tools/coerce-arguments.ts'

/** Wraps an operation: may read or change params and result, answer by itself, or refuse by throwing. */
export type Middleware<App = unknown, O extends Operation = Operation> = (
  call: OperationCall<O, App>,
  next: (change?: { readonly params: Operations[O]['params'] }) => Promise<Outcome<O>>,
) => Promise<Outcome<O>>

/** An operation on its way to its handler; a switch over `operation` types `params`. */
export type OperationCall<O extends Operation, App> = {
  readonly [K in O]: {
    /** Which operation it is, such as `tools/call`. */
    readonly operation: K
    /** The params that the caller sent. */
    readonly params: Operations[K]['params']
    /** The context of the request, as handlers get it. */
    readonly context: RequestContext<App>
  }
}[O]

/** How an operation ends: with a result; where handlers may ask for input, with an input request; for tools, with a task. */
export type Outcome<O extends Operation = Operation> =
  | {
      /** The operation is done. */
      readonly resultType: 'complete'
      /** Its result. */
      readonly result: Operations[O]['result']
      /** The error of a tool's handler, if the result says that it failed. Read only: a change has no effect. */
      readonly error?: unknown
      /** Arguments of a tool that were text and became what its schema asks for: see `coerceArguments`. */
      readonly coerced?: readonly CoercedArgument[]
    }
  | (O extends OperationThat<'mayNeedInput'>
      ? {
          /** The caller has to answer questions first. */
          readonly resultType: 'input_required'
        }
      : never)
  | (O extends OperationThat<'mayBeTask'>
      ? {
          /** The operation goes on as a task. */
          readonly resultType: 'task'
          /** The id of the task. */
          readonly taskId: string
        }
      : never)

type Layer = Middleware<never>

/** Runs an operation in one definition. */
export type Perform<O extends Operation> = (
  definition: Definition,
  operation: O,
  params: ParamsOf<O>,
  context: CallContext,
) => MaybePromise<object>

/** Enters a definition: makes its `app`, runs its middleware, then `perform`. */
export async function enterDefinition<O extends Operation>(
  definition: Definition,
  operation: O,
  params: ParamsOf<O>,
  call: Call,
  perform: Perform<O>,
): Promise<object> {
  const { app: makeApp } = definition.settings
  let app: unknown
  if (makeApp) {
    const made = makeApp(new CallContext(call, undefined))
    app = isPromise(made) ? await made : made
  }
  const context = new CallContext(call, app)
  const layers = layersFor(definition, operation)
  if (layers.length === 0) return perform(definition, operation, params, context)
  const whole = withArguments(operation, params)
  return runLayers(layers, operation, whole, context, (current) => {
    if (current === whole) return perform(definition, operation, whole, context)
    const check: Check<ParamsOf<O>> = requestParams[operation]
    return perform(definition, operation, readParams(operation, check, current), context)
  })
}

/** A client may leave out `arguments`; middleware always gets them. */
function withArguments<O extends Operation>(operation: O, params: ParamsOf<O>): ParamsOf<O> {
  const takesArguments = operation === 'tools/call' || operation === 'prompts/get'
  return takesArguments && !('arguments' in params) ? { ...params, arguments: {} } : params
}

/** The layers around one operation, outermost first. */
function layersFor(definition: Definition, operation: Operation): readonly Layer[] {
  return definition.middleware
    .filter((layer) => layer.operation === undefined || layer.operation === operation)
    .map(({ run }) => run)
}

/** Runs the layers around `perform`. */
async function runLayers(
  layers: readonly Layer[],
  operation: Operation,
  params: object,
  context: CallContext,
  perform: (params: object) => MaybePromise<object>,
): Promise<object> {
  let unfinished: object | undefined // what middleware passes on without looking inside
  const outcome = await step(0, params)
  if (outcome.resultType === 'complete') return outcome.result
  if (unfinished === undefined)
    throw new TypeError(
      `a middleware returned ${outcome.resultType}, but the operation did not end so: return what next() gave`,
    )
  return unfinished

  async function step(index: number, current: object): Promise<Outcome> {
    const layer = layers[index]
    if (layer === undefined) {
      const result = await perform(current)
      if (result instanceof RoundEnd) {
        unfinished = result
        return { resultType: 'input_required' }
      }
      if (result instanceof TaskStart) {
        unfinished = result
        return { resultType: 'task', taskId: result.taskId }
      }
      const complete = {
        resultType: 'complete',
        result: result as Operations[Operation]['result'],
      } as const // perform answers the operation it was made for
      const coerced = coercedArguments.get(result)
      const isThrown = thrownErrors.has(result)
      if (!isThrown && coerced === undefined) return complete
      const error = thrownErrors.get(result)
      return { ...complete, ...(isThrown && { error }), ...(coerced && { coerced }) }
    }
    const call = { operation, params: current, context } as unknown as OperationCall<
      Operation,
      never
    > // the pair was checked by dispatch
    return layer(call, (change) => step(index + 1, change?.params ?? current))
  }
}
