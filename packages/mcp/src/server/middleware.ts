import type { MaybePromise } from '../rpc/promise.ts'
import type { Operation, Operations } from '../schema/operations.ts'
import type { CallContext, RequestContext } from './context.ts'
import type { Definition } from './definition.ts'
import { RoundEnd } from './input/round-end.ts'
import { TaskStart } from './tasks/task-start.ts'

/** Wraps an operation: may look, change params or result, answer by itself, or refuse by throwing. */
export type Middleware<App = unknown, O extends Operation = Operation> = (
  call: OperationCall<O, App>,
  next: (change?: { readonly params: Operations[O]['params'] }) => Promise<Outcome<O>>,
) => Promise<Outcome<O>>

/** An operation on its way to its handler; a switch over `operation` types `params`. */
export type OperationCall<O extends Operation, App> = {
  readonly [K in O]: {
    readonly operation: K
    readonly params: Operations[K]['params']
    readonly context: RequestContext<App>
  }
}[O]

/** How a round ends: in a result; where handlers may ask, in a question; where they may take long, in a task. */
export type Outcome<O extends Operation = Operation> =
  | { readonly resultType: 'complete'; readonly result: Operations[O]['result'] }
  | (O extends 'tools/call' | 'resources/read' | 'prompts/get'
      ? { readonly resultType: 'input_required' }
      : never)
  | (O extends 'tools/call' ? { readonly resultType: 'task'; readonly taskId: string } : never)

type Layer = Middleware<never>

/** The layers around one operation, outermost first. */
export function layersFor(definition: Definition, operation: Operation): readonly Layer[] {
  return definition.middleware
    .filter((layer) => layer.operation === undefined || layer.operation === operation)
    .map(({ run }) => run)
}

/** Runs the layers around `perform`; changed params are checked again before it. */
export async function runLayers(
  layers: readonly Layer[],
  operation: Operation,
  params: object,
  context: CallContext,
  perform: (params: object) => MaybePromise<object>,
): Promise<object> {
  let unfinished: object | undefined // what a layer cannot look into, and passes on
  const outcome = await step(0, params)
  if (outcome.resultType === 'complete') return outcome.result
  if (unfinished === undefined) throw new TypeError(`a middleware made up a ${outcome.resultType}`)
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
      return { resultType: 'complete', result: result as Operations[Operation]['result'] } // perform answers the operation it was made for
    }
    const call = { operation, params: current, context } as unknown as OperationCall<
      Operation,
      never
    > // the pair was checked by dispatch
    return layer(call, (change) => step(index + 1, change?.params ?? current))
  }
}
