import type { Events, Methods } from '../protocol/index.ts'

/** What answers a method of the page. Params have been checked. */
export type Handler<M extends keyof Methods> = (
  params: Methods[M]['params'],
) => Methods[M]['result'] | Promise<Methods[M]['result']>

/** Handlers of some methods. */
export type Handlers<M extends keyof Methods = keyof Methods> = { readonly [N in M]: Handler<N> }

/** Tells every page. */
export type Emit = <E extends keyof Events>(event: E, data: Events[E]) => void
