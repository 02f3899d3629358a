// What cases are made of.
import { programOf } from './contestants.mjs'
import { measureCaller } from './measure/caller.mjs'
import { measureHttpServer } from './measure/http-server.mjs'
import { measureColdStart, measureStdioServer } from './measure/stdio-server.mjs'

/** A server that is started anew for each round. */
export function startCase(programs, { budget = {}, ...about }) {
  return {
    ...about,
    budget,
    kind: 'starts',
    rounds: 10,
    measure: (contestant, { nodeArgs } = {}) =>
      measureColdStart(programOf(contestant, programs), { nodeArgs }),
  }
}

export function stdioCase(options) {
  return serverCase(measureStdioServer, 'servers/*-stdio', options)
}

export function httpCase({ measure = measureHttpServer, ...options }) {
  return serverCase(measure, 'servers/*-http', options)
}

export function serverCase(measure, programs, { title, budget = {}, cannot, rounds = 5, load }) {
  return {
    title,
    kind: 'ratio',
    budget,
    cannot,
    rounds,
    measure: (contestant, change) =>
      measure(programOf(contestant, programs), changed(load, change)),
  }
}

export function callerCase({ title, budget, programs, measure = measureCaller, load }) {
  return {
    title,
    kind: 'ratio',
    budget,
    rounds: 5,
    measure: (contestant, change) =>
      measure(programOf(contestant, programs), changed(load, change)),
  }
}

/** Fewer operations, for a quick look, need no longer warm-up than themselves. */
export function changed(load, { operations, quick, nodeArgs } = {}) {
  if (quick) {
    const { operations: usual, warmUp } = load
    return { ...load, operations: Math.ceil(usual / 5), warmUp: Math.ceil(warmUp / 2), nodeArgs }
  }
  if (operations === undefined) return { ...load, nodeArgs }
  return { ...load, operations, warmUp: Math.min(load.warmUp, operations), nodeArgs }
}
