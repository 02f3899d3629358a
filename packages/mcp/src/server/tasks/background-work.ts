import type { Clock } from '../../rpc/time/clock.ts'
import type { Caller } from '../calls/caller.ts'

/** The caller of work that may outlive its request: the same client, without the channel of the request. */
export function taskCaller(caller: Caller, keepTime: Caller['keepTime']): Caller {
  const { codec, client, declared, auth, countedAs, isLocal, authorize, sessionId, http } = caller
  const { clock, limits, onError, deprecated, subscriptions, spoken, stateSecrets } = caller
  return {
    codec,
    client,
    declared,
    ...(auth && { auth }),
    countedAs,
    isLocal,
    ...(authorize && { authorize }),
    ...(sessionId !== undefined && { sessionId }),
    ...(http && { http }),
    clock,
    limits,
    onError,
    ...(deprecated && { deprecated }),
    logLevel: undefined,
    setLogLevel: () => undefined,
    subscriptions,
    notify: (method, params) => caller.tell?.(method, params),
    mayLog: () => false,
    request: (method) =>
      Promise.reject(new TypeError(`${method}: a task has no channel to its client`)),
    keepTime,
    room: undefined,
    ...(spoken && { spoken }),
    ...(stateSecrets && { stateSecrets }),
  }
}

/** The timeout of work that no request keeps. */
export interface WorkDeadline extends Disposable {
  /** Checks the timeout at this time. */
  keep(dueAt: number): void
}

export function createWorkDeadline(
  clock: Clock,
  dueAt: () => number,
  onDue: () => void,
): WorkDeadline {
  let timer: Disposable | undefined

  function keep(at: number): void {
    timer?.[Symbol.dispose]()
    timer = clock.setTimer(check, at - clock.now())
  }

  /** The timeout may have been extended, or paused. */
  function check(): void {
    const due = dueAt()
    if (due <= clock.now()) onDue()
    else if (due !== Infinity) keep(due)
  }

  return { keep, [Symbol.dispose]: () => timer?.[Symbol.dispose]() }
}
