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
    log: () => undefined,
    ask: (method) => Promise.reject(new TypeError(`${method}: a task asks by its state`)),
    keepTime,
    room: undefined,
    ...(spoken && { spoken }),
    ...(stateSecrets && { stateSecrets }),
  }
}
