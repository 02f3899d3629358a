// What watching requests costs.
import { changed } from './case-kinds.mjs'
import { programOf } from './contestants.mjs'
import { measureCaller } from './measure/caller.mjs'

// With less before, V8 still compiles while it is measured: it counted up to 3 µs.
const load = { operations: 60_000, warmUp: 60_000, inFlight: 1 }

const contestants = [
  { name: 'off', title: 'not watched', isOurs: true },
  { name: 'api', title: 'watched, no SDK registered', isOurs: true },
  { name: 'prometheus', title: 'figures for Prometheus', isOurs: true },
  { name: 'hand', title: 'a span and a figure by hand in the SDK', isOurs: true },
  { name: 'sdk', title: 'spans and figures in the SDK of OpenTelemetry', isOurs: true },
]

export const telemetryCases = {
  telemetry: telemetryCase('tools/call in one process, the server watched by OpenTelemetry', []),
  'telemetry-text': telemetryCase('the same with messages as text, whose sizes are recorded', [
    'text',
  ]),
}

function telemetryCase(title, form) {
  return {
    title,
    kind: 'added',
    budget: { atMost: 5 },
    rounds: 5,
    contestants,
    measure: ({ name }, change) =>
      measureCaller(programOf({ name: 'telemetry' }, 'memory/*'), {
        ...changed(load, change),
        args: [name, ...form],
      }),
  }
}
