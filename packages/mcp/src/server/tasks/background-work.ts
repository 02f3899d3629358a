import type { Clock } from '../../rpc/time/clock.ts'
import type { Caller } from '../calls/caller.ts'

/** The caller as work sees it that may outlive the request: who it is stays, how to reach it does not. */
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
    ask: (method) => Promise.reject(new TypeError(`${method}: a task asks by its state`)),
    keepTime,
    room: undefined,
    ...(spoken && { spoken }),
    ...(stateSecrets && { stateSecrets }),
  }
}

/** Watches over the time that work has, which no request keeps for it. */
export interface WorkDeadline extends Disposable {
  /** Looks again by then. */
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

  /** It may have been put off since, or stand still. */
  function check(): void {
    const due = dueAt()
    if (due <= clock.now()) onDue()
    else if (due !== Infinity) keep(due)
  }

  return { keep, [Symbol.dispose]: () => timer?.[Symbol.dispose]() }
}
