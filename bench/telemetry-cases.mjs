// What watching requests costs.
import { changed } from './case-kinds.mjs'
import { programOf } from './contestants.mjs'
import { measureCaller } from './measure/caller.mjs'

const load = { operations: 30_000, warmUp: 15_000, inFlight: 1 }

export const telemetryCases = {
  telemetry: {
    title: 'tools/call in one process, the server watched by OpenTelemetry',
    kind: 'added',
    budget: { atMost: 5 },
    rounds: 5,
    contestants: [
      { name: 'off', title: 'not watched', isOurs: true },
      { name: 'api', title: 'watched, no SDK registered', isOurs: true },
      { name: 'prometheus', title: 'figures for Prometheus', isOurs: true },
      { name: 'sdk', title: 'spans and figures in the SDK of OpenTelemetry', isOurs: true },
    ],
    measure: ({ name }, change) =>
      measureCaller(programOf({ name: 'telemetry' }, 'memory/*'), {
        ...changed(load, change),
        args: [name],
      }),
  },
  'telemetry-text': {
    title: 'the same with messages as text, whose sizes are recorded',
    kind: 'added',
    budget: { atMost: 5 },
    rounds: 5,
    contestants: [
      { name: 'off', title: 'not watched', isOurs: true },
      { name: 'prometheus', title: 'figures for Prometheus', isOurs: true },
      { name: 'sdk', title: 'spans and figures in the SDK of OpenTelemetry', isOurs: true },
    ],
    measure: ({ name }, change) =>
      measureCaller(programOf({ name: 'telemetry' }, 'memory/*'), {
        ...changed(load, change),
        args: [name, 'text'],
      }),
  },
}
