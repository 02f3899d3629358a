// How many tokens of definitions a request carries with 40 servers: `definitions.mjs MODE`. Prints JSON.
import { createHost } from '@parley/host'
import { createScriptedModel } from '@parley/host/models'

import { corpus } from './corpus.mjs'

const [, , mode] = process.argv
const window = 128_000
const model = createScriptedModel(['Hello.'], { announcement: '', contextTokens: window })
const host = createHost({
  servers: corpus(40, 12),
  model,
  consent: { decide: async (calls) => calls.map(() => ({ decision: 'allow', rule: 'bench' })) },
  context: { mode },
})
for await (const _ of host.turn('Hi.')) {
  // the model has been asked when it ends
}
const { tools } = model.requests[0]
const bytes = Buffer.byteLength(JSON.stringify(tools))
const tokens = host.meter().definitionsSent
await host.close()
console.log(
  JSON.stringify({ tools: tools.length, bytes, tokens, percent: (tokens / window) * 100 }),
)
