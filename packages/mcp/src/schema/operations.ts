import type { clientRequests, ClientRequests } from './methods/client-requests.ts'

/** The name of an operation middleware can wrap. */
export type Operation = {
  [M in keyof ClientRequests]: (typeof clientRequests)[M] extends { isOperation: true } ? M : never
}[keyof ClientRequests]

/** The operations whose result may be something else than complete. */
export type OperationThat<Fact extends 'mayNeedInput' | 'mayBeTask'> = {
  [O in Operation]: (typeof clientRequests)[O] extends { readonly [F in Fact]: true } ? O : never
}[Operation]

/** The operations middleware can wrap, with what goes in and what comes out. */
export type Operations = {
  [O in Operation]: {
    /** What goes in. */
    params: OperationParams<ClientRequests[O]['params']>
    /** What comes out. */
    result: ClientRequests[O]['result']
  }
}

/** On the wire arguments may be left out; middleware always finds them. What carries a round on is not for it. */
type OperationParams<Params> = Omit<
  Params,
  'arguments' | 'task' | 'inputResponses' | 'requestState'
> &
  (Params extends { readonly arguments?: infer Arguments }
    ? { readonly arguments: NonNullable<Arguments> }
    : unknown)
