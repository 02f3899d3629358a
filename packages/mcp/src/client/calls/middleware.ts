import type { Operation, Operations } from '../../schema/methods/client-requests.ts'
import type { CallOptions } from '../options.ts'

/** Wraps an outgoing operation: may look, change params or result, answer by itself, or refuse by throwing. */
export type ClientMiddleware<O extends Operation = Operation> = (
  call: {
    readonly [K in O]: {
      readonly operation: K
      readonly params: Operations[K]['params']
      readonly options: CallOptions
    }
  }[O],
  next: (change?: { readonly params: Operations[O]['params'] }) => Promise<Operations[O]['result']>,
) => Promise<Operations[O]['result']>

interface Layer {
  readonly operation: Operation | undefined
  readonly run: ClientMiddleware
}

/** The layers of one client, outermost first. */
export interface ClientLayers {
  readonly isEmpty: boolean
  add(operation: Operation | undefined, run: ClientMiddleware): void
  run(
    operation: Operation,
    params: object,
    options: CallOptions,
    send: (params: object) => Promise<object>,
  ): Promise<object>
}

export function createClientLayers(): ClientLayers {
  const layers: Layer[] = []

  return {
    get isEmpty() {
      return layers.length === 0
    },
    add(operation, run) {
      layers.push({ operation, run })
    },
    run(operation, params, options, send) {
      if (layers.length === 0) return send(params)
      const around = layers.filter(
        (layer) => layer.operation === undefined || layer.operation === operation,
      )
      return step(0, params)

      async function step(index: number, current: object): Promise<object> {
        const layer = around[index]
        if (layer === undefined) return send(current)
        const call = { operation, params: current, options } as Parameters<ClientMiddleware>[0] // the pair belongs together
        const next: Parameters<ClientMiddleware>[1] = (change) =>
          step(index + 1, change?.params ?? current) as ReturnType<ClientMiddleware> // as above
        return layer.run(call, next)
      }
    },
  }
}
